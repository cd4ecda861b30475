import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'

interface Entry {
  accountId: number
  number: number
  /** What the hash covers, in its order. */
  fields: (string | null)[]
  previousHash: string
  hash: string
}
interface Head {
  accountId: number
  number: number
  hash: string
  purgedNumber: number
  purgedHash: string
}
/** A place where a chain is not what the database wrote. */
export interface Break {
  accountId: number
  number: number
  problem: 'CHANGED' | 'MISSING' | 'NOT_CHAINED'
}

const rowsPerRead = 1000

// Computed here and not by the function in the database: who changes rows could change that too.
const hashOf = ({ fields, previousHash }: Entry): string =>
  createHash('sha256')
    .update([...fields, previousHash].map(field => field ?? '-').join('\n'))
    .digest('hex')

function entriesAfter(db: Db, { accountId, number }: { accountId: number; number: number }) {
  return sql<Entry>`select c.account_id as "accountId", c.number, encode(c.previous_hash, 'hex') as "previousHash",
      encode(c.hash, 'hex') as hash, json_build_array(c.account_id::text, c.number::text, c.phase, c.request_id, c.session_id,
        c.manager_id::text, c.manager_email, c.manager_name, c.method, c.path, c.summary, c.details::text, c.status::text,
        c.error_code, (extract(epoch from c.at) * 1000000)::bigint::text) as fields
    from managed_call c where (c.account_id, c.number) > (${accountId}, ${number})
    order by c.account_id, c.number limit ${rowsPerRead}`.execute(db)
}

/** Reads every chain from its first entry to its end and returns where one is broken. */
export async function findBreaks(db: Db): Promise<Break[]> {
  // Before the entries: what is added meanwhile is in the chain, but not in its end as read.
  const { rows: heads } = await sql<Head>`select account_id as "accountId", number, encode(hash, 'hex') as hash,
    purged_number as "purgedNumber", encode(purged_hash, 'hex') as "purgedHash" from managed_call_head`.execute(db)
  const breaks: Break[] = []
  const pending = new Map(heads.map(head => [head.accountId, head]))
  let last = { accountId: 0, number: 0, hash: '' }
  for (;;) {
    const { rows } = await entriesAfter(db, last)
    for (const entry of rows) {
      const { accountId, number, hash } = entry
      const head = pending.get(accountId)
      const before =
        last.accountId === accountId ? last : { number: head?.purgedNumber ?? 0, hash: head?.purgedHash ?? '' }
      const found = (problem: Break['problem']) => breaks.push({ accountId, number, problem })
      if (hashOf(entry) !== hash) found('CHANGED')
      else if (number !== before.number + 1) found('MISSING')
      else if (entry.previousHash !== before.hash) found('NOT_CHAINED')
      if (head?.number === number && head.hash !== hash) found('CHANGED')
      if (head && number >= head.number) pending.delete(accountId)
      last = { accountId, number, hash }
    }
    if (rows.length < rowsPerRead) break
  }
  for (const { accountId, number, purgedNumber } of pending.values())
    if (number > purgedNumber) breaks.push({ accountId, number, problem: 'MISSING' })
  return breaks
}

/** The number of breaks that were found and that nobody has looked into, for operators. */
export async function knownBreaks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from managed_call_break`.execute(db)
  return rows[0]?.count ?? 0
}

/** Stores the breaks of all chains for the operators' gauge, and deletes what is older than seven years. */
async function checkLog({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  const breaks = await findBreaks(db.system)
  for (const { accountId, number, problem } of breaks) {
    log.error({ accountId, number, problem }, 'the log of managed calls was tampered with')
    await sql`insert into managed_call_break (account_id, number, problem, found_at) values (${accountId}, ${number}, ${problem}, now())
      on conflict do nothing`.execute(db.system)
  }
  const { numAffectedRows } = await sql`delete from managed_call where at < now() - interval '7 years'`.execute(
    db.system,
  )
  const { rows } = await sql<Pick<Head, 'accountId' | 'number' | 'hash'>>`select account_id as "accountId", number,
    encode(hash, 'hex') as hash from managed_call_head where number > 0 order by account_id`.execute(db.system)
  // In the operators' own logs too: a chain that is replaced as a whole has another end.
  log.info(
    { breaks: breaks.length, removed: Number(numAffectedRows ?? 0), ends: rows },
    'the log of managed calls was checked',
  )
}

/** Every night, checks the log of what managers did. */
export const checkLogJob = defineScheduledJob({ name: 'check-managed-calls', cron: '17 2 * * *', run: checkLog })
