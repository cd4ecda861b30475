import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { createRows, type NewRow } from '../create/create-rows.ts'
import { bulkEdit } from '../edit/bulk-edit.ts'
import { settled, settleRows } from '../push/settle-rows.ts'
import { tableOf } from './entity-sql.ts'
import { readPendingRows } from './pending-rows.ts'
import { markGone, type Mirrored, saveMirrored } from './save-mirrored.ts'
import { countTargets, recountTargets } from './target-counts.ts'

const scene = editScene()
const kinds = ['KEYWORD', 'PRODUCT']
const states = ['ENABLED', 'PAUSED', 'ARCHIVED']
const matchTypes = ['EXACT', 'BROAD']

const within = sql`case when 'ARCHIVED' in (
  (select g.state from ad_group g where g.merchant_id = t.merchant_id and g.id = t.ad_group_id),
  (select c.state from campaign c where c.merchant_id = t.merchant_id and c.id = t.campaign_id)) then 'ARCHIVED' else t.state end`

/** Of each kind, state and match type: how many targets the counts tell, and how many rows there are. */
async function counts(how: 'COUNTED' | 'FROM_COUNTS_ALONE' = 'COUNTED') {
  const owner = scene.account
  const all = [
    ...kinds.flatMap(kind => states.map(state => ({ kind, state }))),
    ...matchTypes.map(match => ({ match })),
  ]
  const found = []
  for (const one of all) {
    const [passes, isCounted] = (['t', 'c'] as const).map(alias =>
      'match' in one
        ? [sql`${sql.ref(`${alias}.match_type`)} = ${one.match}`]
        : [
            sql`${sql.ref(`${alias}.kind`)} = ${one.kind}`,
            sql`${alias === 't' ? within : sql`c.state`} = ${one.state}`,
          ],
    ) as [ReturnType<typeof sql>[], ReturnType<typeof sql>[]]
    const counted = countTargets(owner, how === 'COUNTED' ? passes : [sql`false`], isCounted)
    const { rows } = await sql<{ counted: number; rows: number }>`select ${counted}::int as counted, (
      select count(*)::int from target t where t.merchant_id = ${owner.merchantId} and ${sql.join(passes, sql` and `)}) as rows`.execute(
      scene.services.db.system,
    )
    found.push({ ...one, ...rows[0] })
  }
  return found
}

async function expectRightCounts(what: string): Promise<void> {
  const isWrong = ({ counted, rows }: { counted?: number; rows?: number }) => counted !== rows
  expect((await counts()).filter(isWrong), what).toEqual([])
  await recountTargets(scene.services.db, scene.account)
  expect((await counts('FROM_COUNTS_ALONE')).filter(isWrong), `${what}, counted again`).toEqual([])
}

test('targets are counted as they are, whatever wrote them or what they are in', async () => {
  const { services, account: owner } = scene
  const { db } = services
  const [a, b, c] = [await scene.added('A'), await scene.added('B'), await scene.added('C', { state: 'ARCHIVED' })]
  await expectRightCounts('an account that was never counted')
  expect((await counts()).map(({ rows }) => rows)).toEqual([2, 0, 1, 0, 0, 0, 3, 0])

  const edit = async (entity: 'target' | 'adGroup' | 'campaign', id: number, state: string) => {
    const { rows } = await sql<{ version: number }>`select version from ${tableOf(entity)} t
      where t.merchant_id = ${owner.merchantId} and t.id = ${id}`.execute(db.system)
    const item = { entity, id, version: Number(rows[0]?.version), set: { state } }
    return bulkEdit(await scene.caller(null), [item], undefined)
  }
  await edit('target', a.keywordId, 'PAUSED')
  await expectRightCounts('a keyword that was paused')

  // Sent and rejected: it gets its state back.
  const key = { ...owner, adType: 'SPONSORED_PRODUCTS' }
  const push = { services, entity: 'target' as const, key, onSettledNew: async () => undefined, unclear: [] }
  const pending = () => db.reading(owner.merchantId, tx => readPendingRows(tx, 'target', key, 0, 10))
  const settle = async (part: Parameters<typeof settled>[1]) =>
    settleRows(
      push,
      (await pending()).map(row => settled(row, part)),
    )
  await settle({ rejection: 'No.' })
  await expectRightCounts('a change that was rejected')
  expect((await counts())[0]).toMatchObject({ state: 'ENABLED', counted: 2 })

  const rows: NewRow[] = ['BROAD', 'EXACT'].map(matchType => ({
    campaignId: b.campaignId,
    adGroupId: b.adGroupId,
    kind: 'KEYWORD',
    text: 'new',
    matchType,
    expression: null,
  }))
  const act = { origin: 'USER', accountId: owner.accountId, at: new Date(), groupId: crypto.randomUUID() } as const
  await db.tenant(owner.merchantId, tx => createRows(services, tx, owner, 'target', rows, act))
  await expectRightCounts('new keywords')
  expect((await counts()).at(-1)).toMatchObject({ match: 'BROAD', counted: 1 })
  await settle({ isRemoved: true })
  await expectRightCounts('new keywords that were removed')
  expect((await counts()).at(-1)).toMatchObject({ match: 'BROAD', counted: 0 })

  const target = (amazonId: string, kind: string): Mirrored => ({
    amazonId,
    campaignId: b.amazonId,
    adGroupId: `${b.amazonId}1`,
    adType: 'SPONSORED_PRODUCTS',
    kind,
    text: 'tide',
    matchType: null,
    expression: null,
    bidMicros: null,
    state: 'ENABLED',
    servingStatus: null,
  })
  const imported = [target('71', 'PRODUCT'), target('72', 'PRODUCT')]
  await db.tenant(owner.merchantId, tx => saveMirrored(tx, 'target', owner, imported, new Date()))
  await expectRightCounts('targets that were imported')
  expect((await counts())[3]).toMatchObject({ kind: 'PRODUCT', state: 'ENABLED', counted: 2 })
  const later = new Date(Date.now() + 60_000)
  await db.tenant(owner.merchantId, tx =>
    markGone(tx, 'target', { ...owner, adType: 'SPONSORED_PRODUCTS' }, ['71'], later),
  )
  await expectRightCounts('targets that are gone')

  await edit('campaign', b.campaignId, 'ARCHIVED')
  await expectRightCounts('a campaign that was archived')
  expect((await counts()).map(({ counted }) => counted)).toEqual([0, 0, 3, 0, 0, 2, 3, 0])
  expect(c.campaignId).toBeGreaterThan(b.campaignId)
})
