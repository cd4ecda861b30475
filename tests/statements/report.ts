import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded } from './record.ts'
import { type Breach, breachesOf, type Rule, rules, type Schema } from './rules.ts'

/**
 * Breaches that are meant: of these rules, by these tables or functions, in the statements that these files send. None mixes
 * local and distributed tables: an outer join of the two ends the coordinator's session (seen with Citus 13.2).
 */
export interface Exception {
  from: readonly string[]
  rules: readonly Exclude<Rule, 'local'>[]
  what: readonly string[]
  why: string
}

/** Everything that was recorded in a folder, once: each process has written its own. */
export function readStatements(folder: string): Recorded[] {
  const lines = readdirSync(folder).flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
  return [...new Set(lines)].filter(Boolean).map(line => JSON.parse(line) as Recorded)
}

// What the rules are about; begin, set, listen and the like may be several statements at once.
const isRead = (text: string): boolean =>
  /^[\s(]*(?:\/\*.*?\*\/[\s(]*)?(?:with|select|insert|update|delete)\b/i.test(text)

const around = (text: string, at: number): string =>
  Buffer.from(text)
    .subarray(Math.max(0, at - 80), at + 120)
    .toString()
    .replace(/\s+/g, ' ')

const keyOf = (from: string, { rule, what }: Pick<Breach, 'rule' | 'what'>): string => `${from}: ${rule} ${what}`

/**
 * What is wrong, in words: each kind of breach in a file once, with the place in one of its statements. `excepted` counts the
 * kinds of breaches that are meant; `unneeded` names exceptions that no statement needs, which a scheduled job that did not
 * run this time may be the reason of.
 */
export function reportOf(
  statements: readonly Recorded[],
  schema: Schema,
  exceptions: readonly Exception[],
): { problems: string[]; excepted: number; unneeded: string[] } {
  const found = new Map<string, string>()
  for (const { text, from } of statements)
    for (const breach of isRead(text) ? breachesOf(text, schema) : []) {
      const key = keyOf(from, breach)
      if (!found.has(key)) found.set(key, `${rules[breach.rule]}\n    … ${around(text, breach.at)} …`)
    }
  const isMeant = (key: string, { from, rules, what }: Exception) =>
    from.some(file => rules.some(rule => what.some(one => key === keyOf(file, { rule, what: one }))))
  const problems = [...found]
    .filter(([key]) => !exceptions.some(exception => isMeant(key, exception)))
    .map(([key, words]) => `${key}\n    ${words}`)
  const unneeded = exceptions
    .filter(exception => ![...found.keys()].some(key => isMeant(key, exception)))
    .map(({ from, rules }) => `${from.join(', ')}: ${rules.join(', ')}`)
  return { problems: problems.sort(), excepted: found.size - problems.length, unneeded }
}
