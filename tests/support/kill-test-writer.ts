import { setImmediate } from 'node:timers/promises'
import { smallScenario, START } from './ads-world.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { World } from '#sandbox/core/world.ts'

// A process that a test kills: renames a seller to 1, 2, 3 …, and prints each number once it is stored.
const world = new World({
  scenarios: { small: smallScenario },
  scenario: 'small',
  createMarket,
  config: { publicUrl: '', clients: new Map(), sellingPartnerApp: '', controlToken: '' },
  clock: { now: () => START },
  data: process.argv[2],
})
for (let n = 1; n < 50_000; n++) {
  world.change(store => {
    const seller = store.sellers.get('A1TESTSELLER')
    if (seller) store.sellers.set('A1TESTSELLER', { ...seller, name: String(n) })
  })
  process.stdout.write(`${n}\n`)
  await setImmediate()
}
