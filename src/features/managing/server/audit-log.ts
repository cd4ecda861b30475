import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { ManagedCall } from '#server/http/managed-calls.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import type { AuditEntry } from '../contract.ts'

/** Adds an entry at the end of the account's chain; the database gives it number, time and hash. */
export async function recordManagedCall(db: Db, call: ManagedCall): Promise<void> {
  const { accountId, manager, sessionId, requestId, endpoint, details, phase, status, errorCode } = call
  await sql`insert into managed_call (account_id, phase, request_id, session_id, manager_id, manager_email, manager_name, method,
      path, summary, details, status, error_code)
    values (${accountId}, ${phase}, ${requestId}, ${sessionId}, ${manager.accountId}, ${manager.email},
      ${`${manager.firstName} ${manager.lastName}`.trim()}, ${endpoint.method}, ${endpoint.path}, ${endpoint.summary},
      ${JSON.stringify(details)}, ${status}, ${errorCode})`.execute(db)
}

// An entry and, for what may change something, the one with its outcome.
const entries = sql`managed_call t left join managed_call e
  on e.account_id = t.account_id and e.request_id = t.request_id and e.phase = 'ENDED'`
const outcome = sql`case when coalesce(t.status, e.status) is null then 'UNKNOWN' when coalesce(t.status, e.status) < 400 then 'DONE'
  when coalesce(t.status, e.status) < 500 then 'REJECTED' else 'FAILED' end`

/** For a select list of `auditEntriesOf`: an entry as the user sees it. */
export const auditColumns = sql`t.number, t.at, t.manager_name as "managerName", t.manager_email as "managerEmail", t.method, t.path,
  t.summary, t.details, ${outcome} as outcome, coalesce(t.error_code, e.error_code) as "errorCode"`

/** The entries `t` of an account, for a from clause that further conditions may follow. */
export const auditEntriesOf = (accountId: number) =>
  sql`${entries} where t.account_id = ${accountId} and t.phase <> 'ENDED'`

interface Query {
  page: number
  size: number
  kind: 'ALL' | 'CHANGES'
}

/** One page of what managers did for the user, newest first. */
export async function getAuditLog({ db, actor }: Ctx, { page, size, kind }: Query) {
  const from = sql`${auditEntriesOf(actor.accountId)} ${kind === 'CHANGES' ? sql`and t.method <> 'GET'` : sql``}`
  const [{ rows }, counted] = await Promise.all([
    sql<Omit<AuditEntry, 'at'> & { at: Date }>`select ${auditColumns} from ${from} order by t.number desc
      limit ${size} offset ${page * size}`.execute(db.system),
    sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db.system),
  ])
  return {
    content: rows.map(row => ({ ...row, at: row.at.toISOString() })),
    page: pageInfo(page, size, counted.rows[0]?.count ?? 0),
  }
}
