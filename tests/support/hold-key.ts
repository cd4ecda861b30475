import { onceByKey } from '#server/http/idempotency.ts'
import { createLog } from '#server/log/log.ts'
import { openServer } from '#server/db/open-database.ts'

// A process that takes a key, reports so, and works until the parent ends or kills it.
const [url = '', key = '', leaseSeconds = ''] = process.argv.slice(2)
const db = await openServer(url, { poolSize: 2 })
const log = createLog({ level: 'silent' })
const finalBody = new Promise<unknown>(resolve => process.once('message', resolve))
async function work() {
  process.send?.('working')
  return { status: 201, body: await finalBody }
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
