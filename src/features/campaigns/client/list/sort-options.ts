import { figureOptions } from '../figures/chosen-figures.ts'

export const campaignSorts = [
  ...figureOptions,
  { value: 'name', label: 'Name' },
  { value: 'budget', label: 'Budget' },
  { value: 'state', label: 'State' },
] as const
export const adGroupSorts = [
  ...figureOptions,
  { value: 'name', label: 'Name' },
  { value: 'defaultBid', label: 'Default bid' },
  { value: 'state', label: 'State' },
] as const
export const adSorts = [...figureOptions, { value: 'asin', label: 'ASIN' }, { value: 'state', label: 'State' }] as const
export const targetSorts = [
  ...figureOptions,
  { value: 'text', label: 'Text' },
  { value: 'bid', label: 'Bid' },
  { value: 'state', label: 'State' },
] as const
export const negativeSorts = [
  { value: 'text', label: 'Text' },
  { value: 'matchType', label: 'Match type' },
  { value: 'state', label: 'State' },
] as const

/** The column that an address names, when the list has it; else the usual one. */
export const columnOf = <C extends string>(options: readonly { value: C }[], named: string | undefined, usual: C): C =>
  options.find(({ value }) => value === named)?.value ?? usual
