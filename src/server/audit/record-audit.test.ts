import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../tests/support/database.ts'
import type { Database } from '../db/open-database.ts'
import { recordAudit } from './record-audit.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const entry = {
  merchantId: 1,
  accountId: 7,
  action: 'campaign.pause',
  entity: 'campaign',
  entityId: 12,
  before: { state: 'ENABLED' },
  after: { state: 'PAUSED' },
}
const entries = (merchant: number) =>
  db.tenant(merchant, tx => tx.selectFrom('audit_entry').selectAll().where('merchant_id', '=', merchant).execute())

test('an entry stands with its change and falls with it', async () => {
  await db.tenant(1, tx => recordAudit(tx, entry))
  await db
    .tenant(1, async tx => {
      await recordAudit(tx, { ...entry, entityId: 13 })
      throw new Error('the change failed')
    })
    .catch(() => undefined)
  expect(await entries(1)).toMatchObject([
    { account_id: 7, action: 'campaign.pause', entity_id: '12', after: { state: 'PAUSED' } },
  ])
  expect(await entries(2)).toEqual([])
})

test('an entry can be neither changed nor removed', async () => {
  const change = db.tenant(1, tx =>
    tx.updateTable('audit_entry').set({ action: 'nothing' }).where('merchant_id', '=', 1).execute(),
  )
  await expect(change).rejects.toThrow(/permission denied/)
  const remove = db.tenant(1, tx => tx.deleteFrom('audit_entry').where('merchant_id', '=', 1).execute())
  await expect(remove).rejects.toThrow(/permission denied/)
})
