import * as v from 'valibot'

/** The steps of every launch in their order; one with nothing to do is SKIPPED. */
export const stepNames = [
  'RECOMMENDATIONS',
  'CAMPAIGNS',
  'AD_GROUPS',
  'PRODUCT_ADS',
  'KEYWORDS',
  'AUTO_TARGETS',
  'PRODUCT_TARGETS',
  'NEGATIVE_KEYWORDS',
  'ENABLE',
  'SAVE',
] as const
export type StepName = (typeof stepNames)[number]

/** An undo is not a step of a launch, but makes calls. */
const callStep = v.picklist([...stepNames, 'UNDO'])
export type CallStep = v.InferOutput<typeof callStep>

/** UNREACHED: it did not happen. UNKNOWN: it may have happened; the launch looks before it sends again. */
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
  /** The marketplace's support asks for it. */
  requestId: v.nullable(v.string()),
  /** What went wrong, when something did. */
  message: v.nullable(v.string()),
  /** JSON without secrets; long lists are cut, with a note. */
  sent: v.nullable(v.string()),
  received: v.nullable(v.string()),
})
export type LaunchCall = v.InferOutput<typeof callRow>
