import { onceByKey } from '#server/http/idempotency.ts'
import { createLog } from '#server/log/log.ts'
import { openServer } from '#server/db/open-database.ts'

// A process of its own that takes a key, says so, and works until it is told to end or is killed.
const [url = '', key = '', leaseSeconds = ''] = process.argv.slice(2)
const db = await openServer(url, { poolSize: 2 })
const log = createLog({ level: 'silent' })
const told = new Promise<unknown>(resolve => process.once('message', resolve))
const work = async () => {
  process.send?.('working')
  return { status: 201, body: await told }
}
const answer = await onceByKey(
  { db, log, actor: { accountId: 1 }, idempotencyKey: key },
  'POST /probes',
  { n: 1 },
  work,
  Number(leaseSeconds),
)
process.send?.(answer)
await db.close()
process.disconnect?.()
