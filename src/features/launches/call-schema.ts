import * as v from 'valibot'
import { stepNames } from './steps.ts'

/** UNDO is no step of a launch, but calls are made for it. */
const callStep = v.picklist([...stepNames, 'UNDO'])
export type CallStep = v.InferOutput<typeof callStep>

/** UNREACHED: it certainly did not happen. UNKNOWN: it may have happened; the launch looks before it sends again. */
const callOutcome = v.picklist(['ANSWERED', 'REFUSED', 'UNREACHED', 'UNKNOWN'])
export type CallOutcome = v.InferOutput<typeof callOutcome>

/** One call to the marketplace. */
export const callRow = v.object({
  no: v.number(),
  step: v.nullable(callStep),
  at: v.pipe(v.string(), v.isoTimestamp()),
  tookMs: v.number(),
  /** For instance `create keywords`. */
  operation: v.string(),
  method: v.string(),
  path: v.string(),
  outcome: callOutcome,
  status: v.nullable(v.number()),
  /** What the marketplace's support asks for. */
  requestId: v.nullable(v.string()),
  /** What went wrong, when something did. */
  message: v.nullable(v.string()),
  /** JSON; long lists are cut and say so, secrets are left out. */
  sent: v.nullable(v.string()),
  received: v.nullable(v.string()),
})
export type LaunchCall = v.InferOutput<typeof callRow>
