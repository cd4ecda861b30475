import { type BetterWhen, type MeasuredName, type MetricName, metrics } from '#shared/metrics.ts'
import { type CardName, type DashboardCard, metricOfCard, type TermName } from '../contract.ts'

interface CardText {
  label: string
  better: BetterWhen
  /** What the figure is, in plain words. */
  meaning: string
  /** Stands between the parts of its formula. */
  sign: '÷' | '−'
}

const meanings: Record<CardName, string> = {
  spend: 'What your ads cost in these days: the price of every click that the marketplace charged.',
  sales: 'What shoppers bought after they clicked one of your ads, as the marketplace attributes it.',
  acos: 'Advertising cost of sales: how much of every unit of ad sales you spent on ads. Lower is better.',
  roas: 'Return on ad spend: how much ad sales each unit of ad spend brought. Higher is better.',
  tacos: 'Total advertising cost of sales: ad spend against all your sales, with or without an ad.',
  orders: 'Orders that the marketplace attributes to a click on your ads.',
  clicks: 'How often shoppers clicked your ads. Every click is paid for.',
  impressions: 'How often your ads were shown. An impression costs nothing until it is clicked.',
  profit: 'What is left of your sales after the marketplace’s fees, your cost of goods and your ads.',
}

/** How a card is named and explained. */
export function textOfCard(name: CardName): CardText {
  const meaning = meanings[name]
  if (name === 'tacos') return { label: 'TACOS', better: 'down', meaning, sign: '÷' }
  if (name === 'profit') return { label: 'Profit after ads', better: 'up', meaning, sign: '−' }
  const { label, better } = metrics[metricOfCard[name]]
  return { label, better, meaning, sign: '÷' }
}

/** The unit of a card's value. */
export const unitOf = ({ unit }: DashboardCard) => unit.toLowerCase() as Lowercase<typeof unit>

const otherTerms = {
  totalSales: 'Total sales',
  productSales: 'Sales of products with known costs',
  fees: 'Marketplace fees',
  goods: 'Cost of goods',
}

/** The label and the unit of a part of a formula. */
export function describeTerm(name: TermName): Pick<(typeof metrics)[MetricName], 'label' | 'unit'> {
  if (name in otherTerms) return { label: otherTerms[name as keyof typeof otherTerms], unit: 'money' }
  return metrics[name === 'spend' ? 'cost' : (name as MeasuredName)]
}
