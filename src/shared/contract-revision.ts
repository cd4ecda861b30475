/**
 * Grows by one when a call changes in a way that older clients would get wrong. That call then carries the number as
 * `changedIn`, and the server rejects it from clients that name a lower one.
 */
export const contractRevision = 1

/** How a client names itself: the revision of the contract that it was written for, and its build. */
export const buildHeader = 'x-build'
/** In the answer to a client of another build: the one that this server serves. */
export const newestBuildHeader = 'x-newest-build'

/**
 * Sent with calls for some seconds after a client changed something or heard of a change: the server process that answers
 * first makes sure that it has heard of the change too.
 */
export const changedHeader = 'x-changed'

/** The revision of the contract that a client names; null when it names none, as other programs do. */
export function revisionOf(header: string | null): number | null {
  const revision = /^(\d{1,6})-[\w-]{1,40}$/.exec(header ?? '')?.[1]
  return revision === undefined ? null : Number(revision)
}
