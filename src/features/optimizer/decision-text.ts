import { figureText, percentText } from '#shared/figure-text.ts'
import { numberText, toMicros } from '#shared/money.ts'
import { type ReaderText, text, writeText } from '#shared/reader-text.ts'
import type { Cause, Evidence, Forecast, LogRow, LogValue } from './contract.ts'

// The words for what the optimizer decides. Pure: the same for screens, notifications and exports, in the format of the
// reader. The figure that decided comes first; what is not known is left out, never written as zero.

/** What a text is made of: a row of the log. Amounts are decimals; ACOS, margin, certainty and raises are percent. */
export type Explained = Pick<LogRow, 'kind' | 'cause' | 'before' | 'after' | 'evidence' | 'forecast' | 'currency'>

/** The change as a title, and why in at most two sentences. */
export interface DecisionText {
  title: string
  reason: string
}

export const decisionText = (of: Explained): DecisionText => ({
  title: writeText(titleOf(of)),
  reason: writeText(reasons[of.cause](of)),
})

/**
 * What is asked before decisions of one decision group are sent, for readers whose formats are not known yet. `campaign` names
 * the campaign of the first: a bid or a search says itself what it is about, a campaign's own setting does not.
 */
export function questionText(own: readonly Explained[], campaign: string | null): ReaderText {
  const [first] = own
  // The negative of a harvest goes without saying.
  const one = own.find(({ kind }) => kind === 'harvest') ?? (own.length === 1 ? first : undefined)
  if (one) {
    const isOfCampaign = one.kind === 'strategy' || one.kind === 'placement' || one.kind === 'budget'
    return text`${titleOf(one)}${isOfCampaign && campaign !== null ? ` for “${campaign}”` : ''}?`
  }
  const many = { number: own.length }
  if (first?.kind === 'budget') return text`Split the same total differently over ${many} campaigns?`
  return first?.kind === 'hours'
    ? text`Test other bids in ${many} blocks of hours?`
    : text`Change ${many} bids at once?`
}

/** What is said once when a group holds back, for readers whose formats are not known yet. */
export const stopText = (of: Explained): { title: ReaderText; body: ReaderText } => ({
  title: stops[of.cause] ?? pausedRaises,
  body: reasons[of.cause](of),
})

const percent = (value: number): string => percentText(value, Math.abs(value) < 9.5 ? 1 : 0)
const rateText = (rate: number): string => percent(rate * 100)
const signed = (value: number): ReaderText =>
  text`${value > 0 ? '+' : ''}${{ share: value / 100, digits: Math.abs(value) < 9.5 ? 1 : 0 }}`
const moneyText = (amount: number, currency: string): string => figureText(amount, 'money', currency)
const few = (value: number): string => numberText(value, value < 9.95 && !Number.isInteger(value) ? 1 : 0)
const counted = (value: number, noun: string): string =>
  `${value === 0 ? 'no' : few(value)} ${noun}${value === 1 ? '' : 's'}`
/** The same for readers whose formats are not known yet. */
const countOf = (value: number, noun: string): ReaderText =>
  text`${value === 0 ? 'no' : { number: value }} ${noun}${value === 1 ? '' : 's'}`
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What a value of a decision is, as people write it; a dash where there is none. */
export const valueText = (of: Pick<Explained, 'kind' | 'currency'>, value: LogValue): string =>
  writeText(valueOf(of, value))

function valueOf(of: Pick<Explained, 'kind' | 'currency'>, value: LogValue): ReaderText {
  if (value === null) return '–'
  if (typeof value === 'string') return of.kind === 'strategy' ? (strategyNames[value] ?? value) : `“${value}”`
  return of.kind === 'placement' || of.kind === 'hours' ? signed(value) : amountOf(value, of.currency)
}
/** As the marketplace's console calls them. */
const strategyNames: Record<string, string> = { SALES_UP_AND_DOWN: 'up and down', SALES_DOWN_ONLY: 'down only' }
const amountOf = (amount: number, currency: string): ReaderText => [{ micros: toMicros(amount), currency }]

function titleOf(of: Explained): ReaderText {
  const { kind, cause, before, after } = of
  const change = text`${valueOf(of, before)} → ${valueOf(of, after)}`
  const isStep = typeof before === 'number' && typeof after === 'number'
  const step = isStep && before !== 0 ? text` (${signed((after / before - 1) * 100)})` : ''
  switch (kind) {
    case 'bid':
      return text`Bid ${change}${step}`
    case 'budget':
      return text`Daily budget ${change}${step}`
    case 'placement':
      return text`Top of search ${change}`
    case 'strategy':
      return text`Bidding strategy: ${change}`
    case 'negative':
      return text`New negative ${valueOf(of, after)}`
    case 'harvest':
      return text`New target ${valueOf(of, before)} at ${valueOf(of, after)}`
    case 'hours':
      return text`Bids in these hours ${valueOf(of, after)}`
    case 'steer':
      return steers[cause] ?? 'All bids of the group'
    case 'breaker':
      return isStep ? text`Bid ${change}${step}` : (stops[cause] ?? pausedRaises)
    case 'none':
      return leftAlone[cause] ?? 'Nothing changed'
  }
}

const pausedRaises = 'Raises are paused'
const stops: Partial<Record<Cause, string>> = {
  REPORTS_OLD: 'Changes are paused',
  CONVERSION_BROKE_DOWN: 'Raises are paused: orders dropped',
  SPEND_BROKE_OUT: 'Raises are paused: spend jumped',
}

const steers: Partial<Record<Cause, string>> = {
  LAUNCH_ENDED: 'The launch has ended',
  REFITTED: 'Forecasts were fitted again',
}

const leftAlone: Partial<Record<Cause, string>> = {
  MARKETPLACE_RULE: 'Left to a rule of the marketplace',
  PAID_BY_VIEWS: 'Bids are left alone',
}

/** What a click may cost at the target. */
const maxClick = ({ evidence: { targetAcos, worth }, currency }: Explained): string | null =>
  targetAcos !== undefined && worth !== undefined ? moneyText((targetAcos / 100) * worth, currency) : null

/** What is expected of the next clicks, and what one of them may cost. */
function outlook(of: Explained): string {
  const { rate, targetAcos, cap } = of.evidence
  const most = maxClick(of)
  const every = rate ? `one order in ${counted(Math.max(1, Math.round(1 / rate)), 'click')}` : null
  const limit = cap === 'STEP' ? '; the bid goes there in steps' : ''
  if (every && most && targetAcos !== undefined)
    return ` We now expect ${every}, so at your ${percent(targetAcos)} target a click may cost ${most}${limit}.`
  return every ? ` We now expect ${every}${limit}.` : ''
}

/** What its clicks brought, next to what others like it would have. */
function record({ evidence: { clicks, orders, effectiveClicks, parentRate } }: Explained): string | null {
  if (clicks === undefined || orders === undefined) return null
  if (clicks === 0) return 'It got no clicks so far.'
  const usual = parentRate !== undefined && effectiveClicks !== undefined ? parentRate * effectiveClicks : null
  const others = usual !== null && usual >= 0.05 ? ` where similar targets of yours bring ${few(round(usual))}` : ''
  return `${capital(counted(clicks, 'click'))} brought ${counted(orders, 'order')}${others}.`
}
const round = (value: number): number => Math.round(value * 10) / 10

const daysText = (days: number): string => counted(Math.max(0, Math.floor(days)), 'more day')

/** The forecast of the group against the ceiling that the seller set. */
function againstTarget({ forecastAcos, targetAcos }: Evidence): string | null {
  if (targetAcos === undefined) return null
  if (forecastAcos === undefined || forecastAcos === null)
    return `the forecast ACOS is not known yet, your target is ${percent(targetAcos)}`
  return `the forecast ACOS is ${percent(forecastAcos)} against your target of ${percent(targetAcos)}`
}

const acosOf = ({ cost, sales }: Evidence): string | null =>
  cost !== undefined && sales ? percent((cost / sales) * 100) : null

const reasons: Record<Cause, (of: Explained) => ReaderText> = {
  WORTH_LESS: of => `${record(of) ?? 'Its clicks bring fewer orders than those of similar targets.'}${outlook(of)}`,
  WORTH_MORE: of => `${record(of) ?? 'Its clicks bring more orders than those of similar targets.'}${outlook(of)}`,
  THIN: ({ evidence: { clicks, parentRate } }) => {
    const usual = parentRate ? `the usual ${rateText(parentRate)} of your product` : 'what is usual for your product'
    const so = `So we go by ${usual} and stay careful.`
    if (clicks === undefined) return `There are too few recent clicks to judge. ${so}`
    return clicks < 15
      ? `Only ${counted(clicks, 'click').replace(/^no/, '0')} so far: too few to judge. ${so}`
      : `${counted(clicks, 'click')}, but most of them long ago: too few to judge. ${so}`
  },
  ABOVE_HIGHEST_BID: of =>
    typeof of.before === 'number' && typeof of.after === 'number'
      ? `The bid was ${valueText(of, of.before)}, above the highest bid that you allow. It goes down to ${valueText(of, of.after)} at once.`
      : 'The bid was above the highest bid that you allow.',
  ABOVE_WORTH: ({ evidence: { worth, margin }, currency }) =>
    worth !== undefined && margin !== undefined && margin !== null
      ? `A click earns you about ${moneyText((worth * margin) / 100, currency)}: ${percent(margin)} of the ${moneyText(worth, currency)} that it sells. A higher bid would cost more than it earns.`
      : 'The bid was higher than what a click earns you.',
  MONEY_SHORT: ({ evidence: { moneyFactor } }) => {
    const lower = moneyFactor === undefined ? null : `${percent((1 - moneyFactor) * 100)} lower`
    return `${lower ? `Bids are ${lower}` : 'Bids are lower'} so that your budgets last the whole day. Cheaper clicks all day bring more than expensive ones until the money is gone.`
  },
  STOCK_LOW: ({ evidence: { coverDays } }) =>
    `${typeof coverDays === 'number' ? `Your stock lasts ${daysText(coverDays)}` : 'Your stock is low'}. Until there is more, we do not pay for clicks on what sells out anyway.`,
  STOCK_GONE: of =>
    `${typeof of.evidence.coverDays === 'number' ? `Your stock lasts ${daysText(of.evidence.coverDays)}` : 'Your stock is almost gone'}. The bid goes to the lowest that the marketplace takes, until there is new stock.`,
  STEERED: ({ evidence }) => {
    const group = againstTarget(evidence)
    const own = evidence.clicks === undefined ? '' : ` (${counted(evidence.clicks, 'click')})`
    return group
      ? `${capital(group)}. All bids of the group move with it: this target’s own figures${own} are no reason to treat it differently.`
      : 'All bids of the group move a little to stay at your target.'
  },
  BUDGET_SPLIT: ({ evidence: { cost }, currency }) => {
    const total = 'The total of your budgets stays within what you set.'
    if (cost === undefined) return `The money goes where it is used. ${total}`
    return cost < 0.005
      ? `This campaign spends next to nothing, so others can use its money. ${total}`
      : `This campaign would spend about ${moneyText(cost, currency)} a day if its budget let it. ${total}`
  },
  BUDGET_WORTH_MORE: of => {
    const { before, after, forecast, evidence, currency } = of
    const more =
      typeof before === 'number' && typeof after === 'number' ? moneyText(after - before, currency) : 'A higher budget'
    const brings = forecast && ` brings about ${counted(round(forecast.orders), 'order')}`
    const at = forecast?.acos != null ? ` at ${percent(forecast.acos)} ACOS` : ''
    return `${more}${more === 'A higher budget' ? '' : ' more a day'}${brings ?? ' is expected to pay'}${at}. ${verdict(forecast, evidence)}`
  },
  TERM_WASTES: ({ evidence: { clicks, orders, cost, certainty, targetAcos }, currency }) => {
    const spent = cost === undefined ? null : moneyText(cost, currency)
    const first =
      spent && clicks !== undefined
        ? `It cost ${spent} in ${counted(clicks, 'click')} and brought ${counted(orders ?? 0, 'order')}.`
        : 'It costs more than it brings.'
    return certainty !== undefined && targetAcos !== undefined
      ? `${first} We are ${percent(Math.min(certainty, 99))} sure that it stays far above your ${percent(targetAcos)} target.`
      : first
  },
  TERM_SELLS: of => {
    const { orders } = of.evidence
    const acos = acosOf(of.evidence)
    const sold = orders === undefined ? 'It sells' : `It brought ${counted(orders, 'order')}`
    const first = `${sold}${acos ? ` at ${acos} ACOS` : ''}.`
    return of.kind === 'negative'
      ? `${first} It gets a target of its own, so this ad group leaves it alone.`
      : `${first} It gets a target and a bid of its own, and where it came from leaves it alone.`
  },
  TOP_CONVERTS: ({ evidence: { rate, parentRate }, after }) => {
    const first =
      rate !== undefined && parentRate !== undefined
        ? `${rateText(rate)} of the clicks at the top of search lead to an order, elsewhere ${rateText(parentRate)}.`
        : 'Clicks at the top of search convert differently from those elsewhere.'
    return typeof after === 'number' ? `${first} So bids there are ${percent(after)} higher.` : first
  },
  CLICK_TOO_DEAR: ({ evidence: { worstClick, worth, margin, targetAcos }, currency }) => {
    const share = typeof margin === 'number' ? margin : targetAcos
    const most = worstClick === undefined ? 'far more than it is worth' : `up to ${moneyText(worstClick, currency)}`
    const first = `Most of this campaign’s money goes where one click may cost ${most}, because the strategy may double each bid`
    const earns = typeof margin === 'number' ? 'earns you' : 'may cost at your target'
    const worthText =
      worth === undefined || share === undefined
        ? ''
        : `; a click there ${earns} about ${moneyText((worth * share) / 100, currency)}`
    const then =
      worstClick === undefined ? '' : ` With “down only” it is at most ${moneyText(worstClick / 2, currency)}.`
    return `${first}${worthText}.${then}`
  },
  SPEND_BROKE_OUT: ({ evidence: { cost }, after, currency }) => {
    const day = cost === undefined ? 'A day cost' : text`A day cost ${amountOf(cost, currency)},`
    const first = text`${day} more than one and a half times the usual of such a day.`
    return typeof after === 'number'
      ? text`${first} The raises of the last 3 days are undone, and no bid is raised for 3 days.`
      : text`${first} No bid is raised for 3 days.`
  },
  REPORTS_OLD: () =>
    'The marketplace’s newest report is more than 36 hours old. Nothing is changed until there are new figures.',
  CONVERSION_BROKE_DOWN: ({ evidence: { clicks, orders } }) => {
    const first =
      clicks !== undefined && orders !== undefined
        ? text`The ${countOf(clicks, 'click')} of the last 3 days brought ${countOf(orders, 'order')}, less than half of the usual.`
        : 'The last 3 days brought less than half of the usual orders.'
    return text`${first} No bid is raised for 3 days: look at the listing, the price and the buy box, not at the keywords.`
  },
  ALL_ONE_WAY: () =>
    'More than 40% of the bids want the largest step in the same direction. That is rarely about the keywords, so we ask you first.',
  NOTHING_TO_DO: ({ evidence }) => {
    const group = againstTarget(evidence)
    const { targets = 0, thin = 0, capped = 0 } = evidence.stayed ?? {}
    const reasons = [
      ...(thin > 0 ? [`${counted(thin, 'target')} ${thin === 1 ? 'is' : 'are'} still too new to judge`] : []),
      ...(capped > 0 ? [`${counted(capped, 'target')} could only grow at clicks that cost more than they may`] : []),
    ]
    const stays = reasons.length
      ? `Of ${counted(targets, 'target')}, ${reasons.join(', and ')}.`
      : 'No bid was far enough from what a click is worth.'
    return group ? `${capital(group)}. ${stays}` : 'All bids are where they belong.'
  },
  LAUNCH_ENDED: ({ evidence: { cost, targetAcos }, currency }) => {
    const spent = cost === undefined ? 'Its time or its money is over.' : `It cost ${moneyText(cost, currency)}.`
    return targetAcos === undefined
      ? `${spent} From now on your target ACOS holds.`
      : `${spent} From now on your target ACOS of ${percent(targetAcos)} holds.`
  },
  HOURS_DIFFER: ({ evidence: { rate, parentRate } }) => {
    const first =
      rate !== undefined && parentRate !== undefined
        ? `${rateText(rate)} of the clicks in these hours lead to an order, over the whole week ${rateText(parentRate)}.`
        : 'Clicks in these hours sell differently from those of the whole week.'
    return `${first} If you agree, it is tested: two weeks with it, two without.`
  },
  MARKETPLACE_RULE: ({ evidence: { worstClick }, currency }) => {
    const most = worstClick === undefined ? '' : ` With it a click costs up to ${moneyText(worstClick, currency)}.`
    return `A rule of the marketplace is on for this campaign, and we leave what it moves to it.${most}`
  },
  REFITTED: () =>
    'For 2 months the forecast ACOS was off by more than 10%. What we assume of your account was fitted to its figures again.',
  PAID_BY_VIEWS: () =>
    `This campaign pays for ${numberText(1000)} views, not for clicks. We cannot tell what a view is worth, so its bids stay.`,
}

/** Whether more money pays: against the margin where that is known, else against the target. */
function verdict(forecast: Forecast | null, { margin, targetAcos }: Evidence): string {
  const acos = forecast?.acos
  const [limit, name] = typeof margin === 'number' ? [margin, 'margin'] : [targetAcos, 'target']
  if (acos == null || limit === undefined) return 'You decide whether it is worth it.'
  if (acos > limit) return `That is above your ${percent(limit)} ${name}.`
  const barely = limit - acos < 3 ? ', barely' : ''
  return `That is below your ${percent(limit)} ${name}, so it is worth it${barely}.`
}
