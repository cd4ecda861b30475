import * as v from 'valibot'
import { asinSchema } from '#features/recommendations/contract.ts'
import { mostAsins } from './contract.ts'

const mostNamed = 10

const splitAsins = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): string[] => {
    const asins = [...new Set(dataset.value.toUpperCase().split(/[\s,;]+/))].filter(Boolean)
    const wrong = asins.filter(one => !v.is(asinSchema, one))
    const problem = wrong.length
      ? `${namesOf(wrong)} ${wrong.length === 1 ? 'is not an ASIN' : 'are not ASINs'}: an ASIN has exactly 10 letters and digits`
      : asins.length > mostAsins
        ? `These are ${asins.length} ASINs; at most ${mostAsins} fit into a report`
        : null
    if (problem === null) return asins
    addIssue({ message: problem })
    return NEVER
  }),
)

/** ASINs as they are pasted, with spaces, commas or lines between them, as a list that has each once. Names each that is none. */
export const pastedAsins = v.pipe(splitAsins, v.minLength(1, 'Enter at least one ASIN'))

/** The same; undefined where nothing is entered. */
export const pastedAsinsOrAll = v.pipe(
  splitAsins,
  v.transform(asins => (asins.length > 0 ? asins : undefined)),
)

function namesOf(wrong: readonly string[]): string {
  const named = wrong.slice(0, mostNamed).map(one => `“${one.length > 20 ? `${one.slice(0, 20)}…` : one}”`)
  return wrong.length > mostNamed ? `${named.join(', ')} and ${wrong.length - mostNamed} more` : named.join(', ')
}
