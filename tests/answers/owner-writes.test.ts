import { expect, test } from 'vitest'
import { guardedTables, serverPieces, silentOwnerWrites } from './owner-writes.ts'

// No call that keeps its answers reads these.
const shownNowhere = [
  'alert',
  'alert_tolerance',
  'alert_watch',
  'audit_entry',
  'notification',
  'performance_report',
  'performance_report_part',
  'refresh_state',
  'report_row',
  'report_schedule',
  'seeding_job',
  'structure_sync',
  'tenant_version',
]
// Of a merchant to which nobody belongs any longer.
const ofTheDead = ['deleteMerchant', 'purgeTenant']

test('code that writes a tenant’s rows as the owner of the tables raises the tenant’s version', () => {
  const tables = guardedTables().filter(table => !shownNowhere.includes(table))
  expect(tables).toEqual(expect.arrayContaining(['campaign', 'campaign_day', 'ads_profile', 'merchant', 'product']))
  const silent = silentOwnerWrites(serverPieces(), tables)
  expect(silent.filter(call => !ofTheDead.some(name => call.endsWith(`: ${name}`)))).toEqual([])
})

test('a write is found through those who pass the transaction on, unless it is the tenant’s own or raises the version', () => {
  const path = 'a.ts'
  const piece = (name: string, text: string) => ({ path, name, text })
  const save = piece('save', "const save = (db: Db) => db.updateTable('campaign').execute()")
  const raising = piece(
    'save',
    "const save = (db: Db) => { db.updateTable('campaign').execute(); raiseVersion(db, 1) }",
  )
  const pass = piece('pass', 'const pass = (tx: Db) => save(tx, 1)')
  const owner = piece('owner', 'const owner = () => ctx.db.transaction(async tx => { await pass(tx) })')
  const tenant = piece('tenant', 'const tenant = () => ctx.db.tenant(1, async tx => { await pass(tx) })')
  const bare = piece('bare', 'const bare = () => save(services.db.system, 1)')
  const found = (...pieces: ReturnType<typeof piece>[]) => silentOwnerWrites(pieces, ['campaign'])
  expect(found(save, pass, owner, tenant)).toEqual(['a.ts: pass'])
  expect(found(save, bare)).toEqual(['a.ts: save'])
  expect(found(raising, pass, owner, bare)).toEqual([])
  expect(silentOwnerWrites([save, pass, owner], ['launch'])).toEqual([])
})
