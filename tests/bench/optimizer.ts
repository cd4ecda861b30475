import type { Figure } from './figure.ts'
import { hardRuleFigures } from './optimizer/hard-rules.ts'
import { runWorld } from './optimizer/runs.ts'
import { measureBestAccounts, measureFaults } from './optimizer/special-runs.ts'
import { driftFigures, profitFigures, reachFigures, summaryOf } from './optimizer/table.ts'

// OPTIMIZER_ACCOUNTS and OPTIMIZER_SEEDS, numbers or ranges as 13-24, choose the accounts and the markets that they meet.
const listOf = (text: string): number[] =>
  text.split(',').flatMap(part => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
const accounts = listOf(process.env.OPTIMIZER_ACCOUNTS ?? '1-12')
const seeds = listOf(process.env.OPTIMIZER_SEEDS ?? '1-5')

const pairs = accounts.flatMap(account => seeds.map(seed => [account, seed] as const))

/** The optimizer against those who leave bids alone and those who follow rules, in the same markets. */
export async function measureOptimizer(): Promise<Figure[]> {
  const summaries = []
  const hard = []
  for (const [account, seed] of pairs) {
    const result = runWorld(account, seed, { isDrifting: false })
    summaries.push(summaryOf(result))
    hard.push(result)
    // Lets signals through between runs.
    await new Promise(resolve => setImmediate(resolve))
  }
  const firsts = pairs.filter(([, seed]) => seed === seeds[0])
  return [
    ...profitFigures(summaries),
    ...reachFigures(summaries),
    ...measureBestAccounts(firsts),
    ...hardRuleFigures(hard),
    ...measureFaults(firsts),
  ]
}

/** The same while rivals and conversions wander and break. */
export async function measureOptimizerDrift(): Promise<Figure[]> {
  const summaries = []
  for (const [account, seed] of pairs) {
    summaries.push(summaryOf(runWorld(account, seed, { isDrifting: true })))
    await new Promise(resolve => setImmediate(resolve))
  }
  return driftFigures(summaries)
}
