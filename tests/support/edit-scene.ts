import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll } from 'vitest'
import { type BulkItem, changeEndpoints } from '#features/structure/contract.ts'
import { listChanges } from '#features/structure/server/changes/list-changes.ts'
import { bulkEdit } from '#features/structure/server/edit/bulk-edit.ts'
import type { Services } from '#server/context.ts'
import { testServices } from './services.ts'
import { addTestAccount, addTestCampaign, type TestAccount, testCaller } from './campaign-account.ts'
import { structureJobs } from '#features/structure/server/push/send-changes.ts'

/** Services and one account for a file of tests of changes. Filled before the first test. */
export function editScene() {
  const scene = {} as { services: Services & { close(): Promise<void> }; account: TestAccount }
  beforeAll(async () => {
    scene.services = await testServices({ jobs: structureJobs })
    scene.account = await addTestAccount(scene.services)
  })
  afterAll(() => scene.services.close())
  const caller = (version: number | null = 1) => testCaller(scene.services, scene.account, version)
  return Object.assign(scene, {
    /** A campaign of the account, with an ad group, an ad and a keyword. */
    added: (name: string, more: { state?: string; budget?: number } = {}) =>
      addTestCampaign(scene.services, scene.account, { name, ...more }),
    /** Who edits it, on top of a version. */
    caller,
    bulk: async (items: BulkItem[], groupId?: string) => bulkEdit(await caller(null), items, groupId),
    rowOf: async (table: 'campaign' | 'target' | 'ad_group', id: number) => {
      const { rows } = await sql<
        Record<string, unknown> & { version: number }
      >`select * from ${sql.table(table)} where id = ${id}`.execute(scene.services.db.system)
      if (!rows[0]) throw new Error(`no ${table} ${id}`)
      return rows[0]
    },
    /** A page of the ledger, the newest change first. */
    changesOf: async (query: object) => {
      const page = await listChanges(await caller(), { page: 0, size: 50, ...query })
      return v.parse(changeEndpoints.list.response, page).content
    },
    /** Who belongs to another merchant. */
    stranger: async () => testCaller(scene.services, await addTestAccount(scene.services), 1),
  })
}
