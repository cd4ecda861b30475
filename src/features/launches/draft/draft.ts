import * as v from 'valibot'
import { moment } from '#shared/query-schemas.ts'
import { wizardState } from './wizard-state.ts'

/** An unfinished wizard. It has one id on all devices, from its first change to its launch. */
export const draftSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/, 'Must be the id of a draft')),
  /** When the user last changed it, by the device's clock. */
  changedAt: moment,
  /** Which of the server's versions this was made from; absent when the server never had it. */
  version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))),
  state: wizardState,
})
export type Draft = v.InferOutput<typeof draftSchema>

/** What a device stores: its draft, when the server last received it, and the id of a draft that was deleted offline. */
export const storedDraft = v.object({
  draft: v.nullable(draftSchema),
  /** `changedAt` of the server's version; null when the server never had this draft. */
  sentAt: v.nullable(v.string()),
  /** Deleted here, perhaps not yet on the server. */
  discardedId: v.nullable(v.string()),
})
export type StoredDraft = v.InferOutput<typeof storedDraft>

/**
 * The draft to offer, from the device's and the server's. A draft that is based on the server's newest version wins, whatever
 * the clocks say; otherwise the later change wins. When the server no longer has a draft that it received, another device has
 * launched or deleted it: the device's draft counts only if it has changed since. `remote` is undefined when the server did
 * not answer; then the device's draft counts.
 */
export function mergeDrafts(stored: StoredDraft, remote: Draft | null | undefined): Draft | null {
  if (remote === undefined) return stored.draft
  const theirs = remote && remote.id !== stored.discardedId ? remote : null
  const ours = stored.draft
  if (!ours || !theirs) return theirs ?? (ours && stored.sentAt === ours.changedAt ? null : ours)
  const isBasedOnTheirs = ours.id === theirs.id && ours.version !== undefined && ours.version === theirs.version
  return isBasedOnTheirs || ours.changedAt >= theirs.changedAt ? ours : theirs
}
