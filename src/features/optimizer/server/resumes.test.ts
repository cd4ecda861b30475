import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { LogRow } from '#features/optimizer/contract.ts'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import type { Services } from '#server/context.ts'
import { createRandom } from '#shared/random.ts'
import { choosePair } from '../../../../tests/support/optimizer-pair.ts'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'
import { runGroup } from './run-group.job.ts'
import { sendDecisions } from './send-decisions.job.ts'
import { settleDecisions } from './settle-decisions.job.ts'

const entities = ['campaign', 'target', 'negative'] as const
const term = 'sharp harbor knives'
let scene: Awaited<ReturnType<typeof openOptimizerScene>>
let chosen: Awaited<ReturnType<typeof choosePair>>
beforeAll(async () => {
  scene = await openOptimizerScene()
  chosen = await choosePair(scene)
  await chosen.addSearch(term, { clicks: 3, cost: 2, orders: 1, sales: 60 })
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const of = (groupId: number) => ({ merchantId: scene.merchantId, profileId: scene.profile.profileId, groupId })
const push = async (services: Services, entity: (typeof entities)[number]) => {
  const { merchantId, profileId } = scene.profile
  await pushJobs[entity].run(services, { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' }, job)
}
/** What happens from a decision to its end, each as a job of its own. */
const steps = (groupId: number): ((services: Services) => Promise<void>)[] => [
  services => runGroup.run(services, of(groupId), job),
  services => sendDecisions.run(services, of(groupId), job),
  ...entities.map(entity => (services: Services) => push(services, entity)),
  services => push(services, 'negative'),
  services => settleDecisions.run(services, {}, job),
]

/** Services of a process that is killed before or after its `n`th transaction. */
function mortal(n: number, when: 'before' | 'after'): { services: Services; isDead: () => boolean } {
  let count = 0
  let isDead = false
  const die = () => {
    isDead = true
    throw new Error('killed')
  }
  const tenant: Services['db']['tenant'] = async (merchantIds, work) => {
    if (isDead) die()
    count++
    if (count === n && when === 'before') die()
    const result = await scene.services.db.tenant(merchantIds, work)
    if (count === n && when === 'after') die()
    return result
  }
  return { services: { ...scene.services, db: { ...scene.services.db, tenant } }, isDead: () => isDead }
}

const nameOf = ({ kind, entity, before, after }: LogRow): string => JSON.stringify([kind, entity.id, before, after])
const madeThere = () => {
  const { keywords, negativeKeywords } = scene.world.store
  return [keywords, negativeKeywords].map(all => [...all.values()].filter(one => one.keywordText === term).length)
}
/** How many keywords and negatives the marketplace has more than once in one place. */
const repeatedThere = (): number => {
  const { keywords, negativeKeywords } = scene.world.store
  const names = [...keywords.values(), ...negativeKeywords.values()]
    .filter(one => one.state !== 'ARCHIVED')
    .map(one => [one.campaignId, one.adGroupId, one.matchType, one.keywordText].join(' '))
  return names.length - new Set(names).size
}
/** Each bid at the marketplace is the one that was decided last, and the ledger has each change once. */
async function requireWrittenOnce(groupId: number): Promise<LogRow[]> {
  const log = await scene.log(`&groupId=${groupId}`)
  for (const state of ['QUEUED', 'SENT']) expect(await scene.log(`&groupId=${groupId}&state=${state}`)).toEqual([])
  const bids = Map.groupBy(
    log.filter(one => one.kind === 'bid' && one.state === 'CONFIRMED'),
    one => one.entity.id,
  )
  for (const [id, [latest]] of bids) expect(await chosen.bidThere(id)).toBe(latest?.after)
  const { rows } = await sql<{
    lines: number
  }>`select (select count(*)::int from entity_change l where l.merchant_id = d.merchant_id
      and l.group_id = d.change_group and l.entity_id = d.entity_id and l.entity = 'target' and l.field = 'bid'
      and l.origin = 'RULE') as lines
    from optimizer_decision d where d.merchant_id = ${scene.merchantId} and d.group_id = ${groupId} and d.entity = 'target'
      and d.sent_at is not null`.execute(scene.services.db.system)
  expect(new Set(rows.map(row => row.lines))).toEqual(new Set([1]))
  return log
}

test('a worker that is killed between any two transactions continues with the same decisions, and writes none twice', async () => {
  const groupId = await scene.take(
    chosen.pair.map(one => one.id),
    { asks: [] },
  )
  // What the shadow would do on this day is what is to be done.
  await scene.decide(groupId)
  const foreseen = (await scene.log(`&groupId=${groupId}`)).filter(one => one.after !== null).map(nameOf)
  expect(foreseen.length).toBeGreaterThan(3)
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
  for (const path of ['/sp/keywords', '/sp/targets', '/sp/negativeKeywords'])
    scene.order({ match: { vendor: 'ads', path }, kind: 'drop-after' })
  let kills = 0
  for (const step of steps(groupId))
    for (const when of ['before', 'after'] as const)
      for (let n = 1; ; n++) {
        const { services, isDead } = mortal(n, when)
        await step(services).catch(() => undefined)
        if (!isDead()) break
        kills++
      }
  expect(kills).toBeGreaterThanOrEqual(8)
  scene.calm()
  // Whatever waited for an answer that was lost.
  for (let i = 0; i < 3; i++) for (const step of steps(groupId).slice(1)) await step(scene.services)
  const log = (await requireWrittenOnce(groupId)).filter(one => one.state !== 'SHADOW' && one.after !== null)
  expect(log.map(nameOf).toSorted()).toEqual(foreseen.toSorted())
  expect(madeThere()).toEqual([1, 1])
})

test('with faults on a tenth of all calls everything is settled in the end, and nothing written twice', async () => {
  const groupId = await scene.take(
    chosen.others.slice(0, 12).map(one => one.id),
    { asks: [] },
  )
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
  const repeated = repeatedThere()
  const random = createRandom(7)
  const kinds = ['throttle', 'drop-after', 'drop-before', 'partial', 'status', 'late-list', 'malformed'] as const
  for (let call = 0; call < 2000; call++) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'status'
    if (random() < 0.1) scene.order({ match: { vendor: 'ads' }, kind, skip: call, retryAfterSeconds: 0 })
  }
  for (let day = 0; day < 9; day++) {
    await scene.decide(groupId)
    for (const kind of ['bid', 'budget'])
      for (const { id } of (await scene.log(`&groupId=${groupId}&kind=${kind}&state=PROPOSED`)).slice(0, 1))
        await scene.ok(scene.call('POST', `/automation-logs/${id}/approve`, {}))
    for (let i = 0; i < 4; i++)
      for (const step of steps(groupId).slice(1)) await step(scene.services).catch(() => undefined)
    await scene.later(24)
  }
  const calls = scene.world.journal.list({ vendor: 'ads' })
  expect(calls.filter(one => one.fault !== null).length).toBeGreaterThan(3)
  scene.calm()
  for (let i = 0; i < 3; i++) for (const step of steps(groupId).slice(1)) await step(scene.services)
  const log = await requireWrittenOnce(groupId)
  expect(log.filter(one => one.state === 'CONFIRMED' && one.kind === 'bid').length).toBeGreaterThan(10)
  expect(repeatedThere()).toBe(repeated)
})
