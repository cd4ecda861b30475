/** Begins every key under which drafts and launches asked for are kept in this browser. */
export const draftPrefix = 'tideline.draft.'

/** Forgets the drafts of this browser; the server keeps its own. */
export const wipeDrafts = (): void => {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(draftPrefix)) storage.removeItem(key)
}
