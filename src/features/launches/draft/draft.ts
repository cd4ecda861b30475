import * as v from 'valibot'
import { moment } from '#shared/query-schemas.ts'
import { wizardState } from './wizard-state.ts'

/** What the database's whole numbers hold. */
const MAX_VERSION = 2_147_483_647

/** A wizard that was begun. It has one identity on all devices, from its first change to its launch. */
export const draftSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/, 'Must be the id of a draft')),
  /** When the user last changed it, by the device's clock. */
  changedAt: moment,
  /** Which of the server's versions this was made from; absent when the server never had it. */
  version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_VERSION))),
  state: wizardState,
})
export type Draft = v.InferOutput<typeof draftSchema>

/** What a device keeps: its draft, when the server last had it, and the id of one that was thrown away while offline. */
export interface KeptDraft {
  draft: Draft | null
  /** `changedAt` of the version the server has; null when it never had this draft. */
  sentAt: string | null
  /** Thrown away here, perhaps not yet on the server. */
  discardedId: string | null
}

/**
 * The draft to offer, from what the device kept and what the server has. What was made from the server's newest version
 * goes beyond it, whatever the clocks say; else the later change wins. A draft that the server had and has no more was
 * launched or thrown away on another device; it is kept only if it was changed here since. Undefined is a server that
 * could not be asked: then the device's own.
 */
export const mergeDrafts = (kept: KeptDraft, remote: Draft | null | undefined): Draft | null => {
  if (remote === undefined) return kept.draft
  const theirs = remote && remote.id !== kept.discardedId ? remote : null
  const mine = kept.draft
  if (!mine || !theirs) return theirs ?? (mine && kept.sentAt === mine.changedAt ? null : mine)
  const goesBeyond = mine.id === theirs.id && mine.version !== undefined && mine.version === theirs.version
  if (goesBeyond) return mine
  return theirs.changedAt > mine.changedAt ? theirs : mine
}
