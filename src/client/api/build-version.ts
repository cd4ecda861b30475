import { createAtom, useSelector } from '@tanstack/react-store'
import { contractRevision } from '#shared/contract-revision.ts'

/** How this client names itself to the server; a page that is not from a build is of the build `dev`. */
export const ownBuild = `${contractRevision}-${builtAs()}`

function builtAs(): string {
  const named = typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="build"]')
  return named?.content ?? 'dev'
}

/** `update`: the server serves another build. `required`: it has rejected a call of this one. */
type Outdated = 'no' | 'update' | 'required'
const state = createAtom<{ outdated: Outdated; newest: string }>({ outdated: 'no', newest: '' })

/** Notes the build that the server named in an answer; null when it is this one. */
export function noteNewestBuild(newest: string | null): void {
  if (newest === null || state.get().newest === newest) return
  state.set(({ outdated }) => ({ outdated: outdated === 'no' ? 'update' : outdated, newest }))
}

/** Notes that the server rejected a call because this client is too old for it. */
export function noteUpdateRequired(): void {
  state.set(({ newest }) => ({ outdated: 'required', newest }))
}

/** Calls back whenever the server names another build, or rejects a call of this one. */
export const onOutdated = (listener: (outdated: Outdated) => void): (() => void) =>
  state.subscribe(({ outdated }) => listener(outdated)).unsubscribe

/** True once a call was rejected: what waits to be sent can only be sent by the new version. */
export const useUpdateRequired = (): boolean => useSelector(state, ({ outdated }) => outdated === 'required')
