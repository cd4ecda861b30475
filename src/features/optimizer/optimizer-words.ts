import { figureText, percentText } from '#shared/figure-text.ts'
import type {
  ChangeKind,
  GroupProof,
  GroupState,
  LogRow,
  LogState,
  Receipt,
  RestorePreview,
  Strategy,
} from './contract.ts'

// The words around a decision: its kind, its state, what became of it. Pure, like decision-text.ts.

export const kindWords: Record<LogRow['kind'], string> = {
  bid: 'Bid',
  budget: 'Budget',
  negative: 'Negative',
  harvest: 'New target',
  placement: 'Placement',
  strategy: 'Bidding strategy',
  hours: 'Hours',
  steer: 'Target ACOS',
  breaker: 'Safety stop',
  none: 'Nothing changed',
}

/** What can be asked about first, in the plural. */
export const askWords: Record<ChangeKind, { label: string; help: string }> = {
  bid: { label: 'Bids', help: 'Several a day. Asked about, they wait for you each time.' },
  budget: { label: 'Budgets', help: 'Money moves between the campaigns; their total stays within your limit.' },
  negative: { label: 'Negatives', help: 'Search terms that cost a lot and do not sell.' },
  harvest: { label: 'New targets', help: 'Search terms that sell get a keyword or product target of their own.' },
  placement: { label: 'Placements', help: 'Higher bids at the top of search, where clicks there sell better.' },
}

interface StateWords {
  label: string
  /** What it means, for the detail. */
  meaning: string
  tone: 'plain' | 'good' | 'accent' | 'danger'
}
export const stateWords: Record<LogState, StateWords> = {
  SHADOW: { label: 'Preview', meaning: 'Nothing was sent: the group was still in its preview.', tone: 'plain' },
  PROPOSED: { label: 'Needs your answer', meaning: 'It is sent only if you approve it.', tone: 'accent' },
  QUEUED: { label: 'Pending', meaning: 'It is sent to the marketplace in the next batch.', tone: 'plain' },
  SENT: { label: 'Sent', meaning: 'The marketplace has not answered yet.', tone: 'plain' },
  CONFIRMED: { label: 'Done', meaning: 'The marketplace has confirmed it.', tone: 'good' },
  FAILED: { label: 'Failed', meaning: 'The marketplace did not take it.', tone: 'danger' },
  UNDONE: { label: 'Undone', meaning: 'The value from before was restored.', tone: 'plain' },
  SUPERSEDED: {
    label: 'Changed by hand',
    meaning: 'A person changed it meanwhile. That value is left alone.',
    tone: 'plain',
  },
  REJECTED: { label: 'Rejected', meaning: 'You decided against it, and nothing was sent.', tone: 'plain' },
  EXPIRED: { label: 'Expired', meaning: 'Nobody answered in time, and nothing was sent.', tone: 'plain' },
}

/** Why a decision cannot be undone, or no longer. */
export const undoWords: Record<NonNullable<LogRow['undo']['reason']>, string> = {
  NOTHING_SENT: 'Nothing was sent, so there is nothing to undo.',
  UNDONE: 'This was undone already.',
  NOT_NEWEST: 'There is a newer change of the same value. Undo that one first.',
  STOPPED: 'The group is stopped.',
  NOTHING_CHANGED: 'Nothing was changed.',
}

export const strategyWords: Record<Strategy, { label: string; help: string }> = {
  PROFIT: {
    label: 'Profit',
    help: 'Never pays more for a click than it earns you. The target is only the upper limit. Needs your product costs.',
  },
  REACH: {
    label: 'Reach the target',
    help: 'Sells as much as your target allows, whether or not the last sale earns money.',
  },
  LAUNCH: {
    label: 'Launch',
    help: 'For a new product: buys clicks until a date or up to an amount, and the target comes after that.',
  },
}

export const groupStateWords: Record<GroupState, { label: string; tone: StateWords['tone'] }> = {
  SHADOW: { label: 'Preview', tone: 'accent' },
  RUNNING: { label: 'Running', tone: 'good' },
  STOPPED: { label: 'Stopped', tone: 'plain' },
}

/** What holds a group back, as a sentence; `until` already written for people. */
export function haltText(cause: string, until: string | null): string {
  const end = until ? ` until ${until}` : ''
  if (cause === 'REPORTS_OLD')
    return 'Nothing is decided now: the marketplace’s newest report is too old. It continues by itself with new figures.'
  if (cause === 'CONVERSION_BROKE_DOWN')
    return `No bids are raised${end}: orders dropped for everything at once. Look at the listing, the price and the buy box.`
  if (cause === 'SPEND_BROKE_OUT') return `No bids are raised${end}: yesterday cost far more than usual.`
  return `No bids are raised${end}.`
}

export const verdictWords: Record<Receipt['verdict'], { label: string; tone: StateWords['tone'] }> = {
  AS_EXPECTED: { label: 'As expected', tone: 'good' },
  NOT_AS_EXPECTED: { label: 'Not as expected', tone: 'accent' },
  TOO_EARLY: { label: 'Too early to say', tone: 'plain' },
}

export const figureWords: Record<Receipt['figures'][number]['figure'], string> = {
  CLICKS: 'Clicks a day',
  CPC: 'Price of a click',
  ACOS: 'ACOS',
}

/** A value of a receipt as people write it. */
export function receiptText(figure: Receipt['figures'][number]['figure'], value: number, currency: string): string {
  if (figure === 'CPC') return figureText(value, 'money', currency)
  return figure === 'ACOS' ? percentText(value, 1) : figureText(value, 'ratio')
}

const signedMoney = (amount: number, currency: string): string =>
  `${amount > 0 ? '+' : ''}${figureText(amount, 'money', currency)}`

/** What the group did to profit, as far as that is known. */
export function proofText({ test, noTest, effect, currency }: GroupProof): { title: string; detail: string } {
  if (test && test.low !== null && test.middle !== null && test.high !== null)
    return {
      title: `Tested: ${signedMoney(test.middle, currency)} profit a day`,
      detail: `Most likely between ${signedMoney(test.low, currency)} and ${signedMoney(test.high, currency)}. Compared with ${test.heldBack} of ${test.targets} targets that kept their bids.`,
    }
  if (effect?.day && effect.verdict !== 'CANNOT_TELL')
    return {
      title: `${signedMoney(effect.day.middle, currency)} profit a day`,
      detail: `Most likely between ${signedMoney(effect.day.low, currency)} and ${signedMoney(effect.day.high, currency)}, next to the weeks before and to what your other campaigns did.`,
    }
  return {
    title: 'Cannot tell yet',
    detail:
      noTest === 'TOO_FEW_ORDERS'
        ? 'A fair comparison needs about 300 orders in 28 days. Until then a rise or fall may be chance.'
        : 'The comparison needs a few weeks of settled figures. Until then a rise or fall may be chance.',
  }
}

type RestoreItem = RestorePreview['content'][number]
export const leaveWords: Record<NonNullable<RestoreItem['reason']>, string> = {
  CHANGED_BY_HAND: 'Left alone: changed by hand since',
  GONE: 'Left alone: no longer at the marketplace',
  ARCHIVED: 'Left alone: archived',
}
export const restoreFieldWords: Record<RestoreItem['field'], string> = {
  bid: 'Bid',
  budget: 'Daily budget',
  strategy: 'Bidding strategy',
  placement: 'Top of search',
  state: 'State',
  defaultBid: 'Default bid',
}
