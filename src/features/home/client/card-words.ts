import type { MetricName, Term } from '../contract.ts'

interface CardWords {
  label: string
  good: 'up' | 'down' | 'neither'
  /** What the figure is, in plain words. */
  meaning: string
  /** What stands between two terms of its formula. */
  sign?: '÷' | '−'
}

export const cardWords: Record<MetricName, CardWords> = {
  spend: {
    label: 'Ad spend',
    good: 'neither',
    meaning: 'What your ads cost in these days: the price of every click that the marketplace charged.',
  },
  sales: {
    label: 'Ad sales',
    good: 'up',
    meaning: 'What shoppers bought after they clicked one of your ads, as the marketplace attributes it.',
  },
  acos: {
    label: 'ACOS',
    good: 'down',
    meaning: 'Advertising cost of sales: how much of every unit of ad sales you spent on ads. Lower is better.',
    sign: '÷',
  },
  roas: {
    label: 'ROAS',
    good: 'up',
    meaning: 'Return on ad spend: how much ad sales each unit of ad spend brought. Higher is better.',
    sign: '÷',
  },
  tacos: {
    label: 'TACOS',
    good: 'down',
    meaning: 'Total advertising cost of sales: ad spend against all your sales, with or without an ad.',
    sign: '÷',
  },
  orders: { label: 'Orders', good: 'up', meaning: 'Orders that the marketplace attributes to a click on your ads.' },
  clicks: { label: 'Clicks', good: 'up', meaning: 'How often shoppers clicked your ads. Every click is paid for.' },
  impressions: {
    label: 'Impressions',
    good: 'up',
    meaning: 'How often your ads were shown. An impression costs nothing until it is clicked.',
  },
  profit: {
    label: 'Profit after ads',
    good: 'up',
    meaning: 'What is left of your sales after the marketplace’s fees, your cost of goods and your ads.',
    sign: '−',
  },
}

export const termWords: Record<Term['name'], string> = {
  spend: 'Ad spend',
  sales: 'Ad sales',
  totalSales: 'Total sales',
  productSales: 'Sales of products with known costs',
  fees: 'Marketplace fees',
  goods: 'Cost of goods',
}

export const kinds = { MONEY: 'money', PERCENT: 'percent', COUNT: 'count', RATIO: 'ratio' } as const
