import { adFields, adGroupFields, campaignFields, negativeFields, targetFields } from '#features/structure/contract.ts'
import type { Fields } from '#shared/fields.ts'
import { figureOptions } from '../figures/chosen-figures.ts'

const optionsOf = <F extends Fields, N extends keyof F & string>(fields: F, names: readonly N[]) =>
  names.map(value => ({ value, label: fields[value]?.label ?? value }))

export const campaignSorts = [...figureOptions, ...optionsOf(campaignFields, ['name', 'budget', 'state'])]
export const adGroupSorts = [...figureOptions, ...optionsOf(adGroupFields, ['name', 'defaultBid', 'state'])]
export const adSorts = [...figureOptions, ...optionsOf(adFields, ['asin', 'state'])]
export const targetSorts = [...figureOptions, ...optionsOf(targetFields, ['text', 'bid', 'state'])]
export const negativeSorts = optionsOf(negativeFields, ['text', 'matchType', 'state'])

/** The column that an address names, when the list has it; else the usual one. */
export const columnOf = <C extends string>(options: readonly { value: C }[], named: string | undefined, usual: C): C =>
  options.find(({ value }) => value === named)?.value ?? usual
