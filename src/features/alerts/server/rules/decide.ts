import type { AlertDraft } from './facts.ts'
import { thresholds } from './thresholds.ts'

/** What was raised of a cause the last time. */
export interface RaisedAlert {
  kind: string
  occasion: string
  said: string
  endsAt: Date | null
  settledAt: Date | null
}

/** The occasion of what is not raised yet: it counts as over, so that it can be raised after the quiet time. */
export const doubt = 'doubt'

/** DOUBT: note it, and raise it when it is still so after a while. FORGET: it is not. */
export type Act = 'RAISE' | 'UPDATE' | 'SETTLE' | 'DOUBT' | 'FORGET'

/** What came and went is not raised again at once. */
const QUIET_MS = 60 * 60_000

/**
 * What is to be done about a cause: raise it (with a push), change what it says, settle it, or nothing. An open one stays
 * until it is clearly below its threshold. `tolerated` is what somebody dismissed: only what is stronger is raised.
 */
export function decide(
  raised: RaisedAlert | null,
  draft: AlertDraft | null,
  { tolerated, now }: { tolerated: number; now: Date },
): Act | null {
  const isOpen = raised !== null && raised.settledAt === null
  const isStrong = draft !== null && draft.strength >= 1 && draft.strength > tolerated
  if (!isOpen) {
    const isDoubt = raised?.occasion === doubt
    if (!isStrong) return isDoubt ? 'FORGET' : null
    if (draft.isDoubtful && !isDoubt) return 'DOUBT'
    return isNews(raised, draft, now) ? 'RAISE' : null
  }
  if (!draft || draft.strength < thresholds.overFactor) return 'SETTLE'
  if (raised.occasion !== draft.occasion && !draft.isLasting) {
    // A budget that was raised may be near its end again, which is no news at once.
    const isMilder = raised.kind === 'OUT_OF_BUDGET' && draft.kind === 'BUDGET_PACING'
    return isStrong && !isMilder ? 'RAISE' : 'SETTLE'
  }
  return raised.said === draft.says ? null : 'UPDATE'
}

function isNews(raised: RaisedAlert | null, draft: AlertDraft, now: Date): boolean {
  const isNewKind = raised !== null && draft.kind === 'OUT_OF_BUDGET' && raised.kind !== draft.kind
  return !raised?.settledAt || isNewKind || now.getTime() - raised.settledAt.getTime() >= QUIET_MS
}
