const cacheName = 'former-files'
// Of two builds or three: a page that has been open since before then is loaded again when it misses one.
const mostFiles = 600

const isFileOfBuild = (url: string): boolean => new URL(url).pathname.startsWith('/assets/')

/**
 * Keeps the files of the build before this one, which a page that is still open may ask for: the worker's own cache drops
 * them when it takes over. `precache` names that cache, `current` has the addresses of this build's files.
 */
export async function keepFormerFiles(precache: string, current: ReadonlySet<string>): Promise<void> {
  const [from, to] = await Promise.all([caches.open(precache), caches.open(cacheName)])
  for (const request of await from.keys()) {
    if (!isFileOfBuild(request.url) || current.has(new URL(request.url).pathname)) continue
    const file = await from.match(request)
    if (file) await to.put(request, file)
  }
  const all = await to.keys()
  for (const request of all.slice(0, Math.max(0, all.length - mostFiles))) await to.delete(request)
}

/** A file of an earlier build, as long as it is kept here, else as the server has it. */
export async function formerFile(request: Request): Promise<Response> {
  const former = await caches.match(request.url, { cacheName, ignoreVary: true })
  return former ?? fetch(request)
}
