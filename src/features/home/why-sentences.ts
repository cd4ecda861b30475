import { figureText, percentText, plainText } from '#shared/figure-text.ts'
import { metrics } from '#shared/metrics.ts'
import { thresholds } from './thresholds.ts'
import type { Doubt, Explained, Factor, FactorName, FactorPart } from './why.ts'
import { listText } from '#shared/region-format.ts'

/** A piece of a sentence: words, or a campaign that is named in it. */
export type Piece = string | { campaignId: number; name: string }

const nouns: Record<FactorName, string> = {
  clicks: 'the number of clicks',
  cpc: 'the price of a click',
  cvr: 'conversion',
  aov: 'the value of an order',
}
export const factorLabels: Record<FactorName, string> = {
  clicks: 'Clicks',
  cpc: 'Price of a click',
  cvr: 'Conversion',
  aov: 'Value of an order',
}

const units = { clicks: 'count', cpc: 'money', cvr: 'percent', aov: 'money' } as const
export const formatRate = (name: FactorName, value: number, currency: string): string =>
  figureText(value, units[name], currency)

/** An effect with its sign: +$12.00, −3.2 points. */
export function formatEffect({ metric }: Pick<Explained, 'metric'>, effect: number, currency: string): string {
  const sign = effect > 0 ? '+' : effect < 0 ? '−' : ''
  return sign + formatSize(metric, Math.abs(effect), currency)
}

function formatSize(metric: Explained['metric'], size: number, currency: string): string {
  if (metric !== 'acos') return figureText(size, 'money', currency)
  return `${plainText(size, 2)} ${size === 1 ? 'point' : 'points'}`
}

/**
 * Three plain sentences, readable aloud: what changed, what did most of it, and what else or what against it. Says so where
 * the counts are too small for a conclusion.
 */
export function sentencesOf(explained: Explained, currency: string): Piece[][] {
  const { metric, before, after, change, factors } = explained
  const format = (value: number) => figureText(value, metrics[metric].unit, currency)
  const { label } = metrics[metric]
  const isSame = Math.abs(change) * 100 < before * thresholds.leastChangePercent
  const first = isSame
    ? `${label} hardly changed: ${format(after)} after ${format(before)}.`
    : `${label} ${change > 0 ? 'rose' : 'fell'} from ${format(before)} to ${format(after)}.`
  const total = factors.reduce((sum, { effect }) => sum + Math.abs(effect), 0)
  const matters = ({ effect }: Factor): boolean => Math.abs(effect) >= total * 0.05 && effect !== 0
  // What pulls in the direction of the change comes first, the strongest of it before the others.
  const direction = (factor: Factor): number => (isSame ? Math.abs(factor.effect) : factor.effect * Math.sign(change))
  const [main, ...others] = factors.toSorted((a, b) => direction(b) - direction(a))
  if (!main || !matters(main)) return [[first]]
  const lead = isSame
    ? `What moved most is ${nouns[main.name]}`
    : `${shareOf(main.effect / change)} ${nouns[main.name]}`
  const second: Piece[] = [`${lead}: ${clauseOf(main, currency)}`, ...whereOf(main), '.', ...cautionOf(main)]
  const next = others.filter(matters).toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))[0]
  if (!next)
    return [[first], second, [`${sentenceStart(listText(others.map(({ name }) => nouns[name])))} hardly mattered.`]]
  const size = formatSize(metric, Math.abs(next.effect), currency)
  const isAgainst = Math.sign(next.effect) !== Math.sign(main.effect)
  const third = isAgainst
    ? `Against that, ${clauseOf(next, currency)}, which ${next.effect > 0 ? 'added' : 'took off'} ${size}`
    : `Besides, ${clauseOf(next, currency)}, which ${next.effect > 0 ? 'added' : 'took off'} another ${size}`
  return [[first], second, [third, ...whereOf(next), '.', ...cautionOf(next)]]
}

function shareOf(share: number): string {
  if (share > 1.05) return 'What drove it is'
  if (share >= 0.95) return 'Nearly all of it is'
  if (share >= 0.73) return 'Most of it is'
  if (share >= 0.6) return 'Two thirds of it is'
  if (share >= 0.45) return 'About half of it is'
  if (share >= 0.28) return 'A third of it is'
  return 'A part of it is'
}

/** What a factor did, in words with its values: "clicks cost 18% more ($0.85 after $0.72)". */
function clauseOf({ name, before, after }: Factor, currency: string): string {
  const percent = percentText((Math.abs(after - before) / before) * 100, 0)
  const isMore = after > before
  const values = `(${formatRate(name, after, currency)} after ${formatRate(name, before, currency)})`
  const words = {
    clicks: `there were ${percent} ${isMore ? 'more' : 'fewer'} clicks`,
    cpc: `clicks cost ${percent} ${isMore ? 'more' : 'less'}`,
    cvr: `${isMore ? 'more' : 'fewer'} of the clicks became orders`,
    aov: `orders were worth ${percent} ${isMore ? 'more' : 'less'}`,
  }
  return `${words[name]} ${values}`
}

const mostNamed = 2

/** The campaigns that moved a factor most, if they did it in its direction. */
function whereOf({ name, effect, parts }: Factor): Piece[] {
  const strong = parts
    .filter(part => part.campaignId !== null && part.effect / effect >= 0.15)
    .slice(0, mostNamed)
    .map(({ campaignId, name: campaign, ...part }) => ({
      ...part,
      campaign: { campaignId: campaignId ?? 0, name: campaign ?? `Campaign ${campaignId}` },
    }))
  if (!strong.length) return [', in many campaigns a little']
  const names = strong.flatMap(({ campaign }, i): Piece[] => (i === 0 ? [campaign] : [' and ', campaign]))
  const sum = (of: (part: Pick<FactorPart, 'mix' | 'within'>) => number) =>
    Math.abs(parts.reduce((all, p) => all + of(p), 0))
  const byWeight = sum(part => part.mix) > sum(part => part.within)
  if (!byWeight || name === 'clicks') return [', most of all in ', ...names]
  return [`, mostly because the ${name === 'aov' ? 'orders' : 'clicks'} shifted between campaigns, such as `, ...names]
}

function cautionOf({ doubt }: Factor): Piece[] {
  return doubt ? [` ${doubtText(doubt)}`] : []
}

export function doubtText(doubt: Doubt): string {
  const { leastClicks, leastOrders } = thresholds
  return {
    FEW_CLICKS: `Fewer than ${leastClicks} clicks in one of the periods are too few to say.`,
    FEW_ORDERS: `Fewer than ${leastOrders} orders in one of the periods are too few to say.`,
    CHANCE: 'It may be chance: conversion moves this far without a cause in one period of ten.',
  }[doubt]
}

const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
