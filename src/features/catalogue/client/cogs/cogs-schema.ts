import * as v from 'valibot'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import { catalogueEndpoints } from '../../contract.ts'

const { cogs } = catalogueEndpoints.setCogs.query.entries

/** The contract's rule for COGS, and that the currency can express the amount. An empty field is null and asks for one. */
export function cogsSchema(currency: string) {
  return v.object({
    cogs: v.pipe(
      v.number('Enter what one unit costs you'),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        const { issues } = v.safeParse(cogs, dataset.value)
        if (issues) addIssue({ message: issues[0].message })
        else if (!isWritable(dataset.value, currency)) addIssue({ message: `${currency} has no such small amounts` })
      }),
    ),
  })
}

function isWritable(amount: number, currency: string): boolean {
  const micros = toMicros(amount)
  // An amount below a micro would be rounded to nothing.
  return fromMicros(micros) === amount && hasUnitPrecision(micros, currency)
}
