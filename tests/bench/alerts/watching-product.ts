import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { notificationKinds } from '#features/notifications/contract.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { type Database, openServer } from '#server/db/open-database.ts'
import { consentTo, readMail } from '../../../src/main/demonstration/outside-world.ts'
import { productCalls } from '../../../src/main/demonstration/product-calls.ts'
import { outsideWorld } from '../../support/processes.ts'
import { emptyDatabase } from '../load/bench-database.ts'
import { startServer } from '../load/server-process.ts'
import { atEnd } from '../stops.ts'
import type { Raised } from './judge.ts'

/** The product as in production, which watches accounts of the emulator for one user. */
export interface WatchingProduct {
  db: Database
  /** Resolves when everything that the emulator has sent is worked on and no job is left to be done. */
  settled(): Promise<void>
  /** Has the user change campaigns of an account, by the marketplace's ids: from then on the product manages them. */
  manage(profileId: number, campaignIds: ReadonlySet<string>): Promise<void>
  /** What the user was notified of, in the order of time. */
  raised(): Promise<Raised[]>
}

const user = { email: 'watcher@tideline.test', password: 'Watched=7tide' }
const regionIds = { NA: 1, EU: 2, FE: 3 } as const

/** Starts it beside an emulator, with its clock, and lets it import every account of every log-in there. */
export async function startWatchingProduct(sandbox: Sandbox): Promise<WatchingProduct> {
  const env = await emptyDatabase('PostgreSQL')
  const server = await startServer({
    ...env,
    ...outsideWorld(sandbox.url, sandbox.smtpPort),
    CLOCK_URL: `${sandbox.url}/healthz`,
    VAPID_KEYS: `bench:${randomBytes(32).toString('base64url')}`,
    CLIENT: 'off',
  })
  const db = await openServer(env.DATABASE_URL ?? '')
  atEnd(() => db.close())
  const token = await connectAll(server.url, sandbox)
  const product: WatchingProduct = {
    db,
    settled: async () => {
      await wait(noticesClockMs)
      await settled(db, sandbox)
    },
    manage: (profileId, campaignIds) => manage({ url: server.url, token }, profileId, campaignIds),
    raised: () => raised(db),
  }
  await imported(product)
  // From now on the stream alone brings figures: reports of a week would take longer than all the rest.
  await sql`delete from jobs.schedule where name = 'keep-fresh'`.execute(db.system)
  return product
}

/** Answers the token of the user. */
async function connectAll(url: string, sandbox: Sandbox): Promise<string> {
  const { must } = productCalls(url)
  const emulator = { url: sandbox.url, controlToken: sandbox.controlToken }
  await must('POST', '/auth/register', {
    body: { ...user, firstName: 'Wanda', lastName: 'Watch', accountType: 'AGENCY' },
  })
  const link = await readMail(emulator, user.email, '/verify-email')
  await must('POST', '/auth/verify-email', { body: { token: new URL(link).searchParams.get('token') } })
  const { accessToken: token } = (await must('POST', '/auth/login', { body: user })) as { accessToken: string }
  const { sellers, logins } = sandbox.world.store
  for (const { email, sellerIds } of logins) {
    for (const sellerId of sellerIds) {
      const regionId = regionIds[sellers.get(sellerId)?.region ?? 'NA']
      const consent = (await must('GET', `/amazon/sp/login?regionId=${regionId}`, { token })) as { url: string }
      const back = await consentTo(consent.url, { account: `${email}|${sellerId}` })
      await must('POST', '/amazon/sp/callback', { body: Object.fromEntries(back.searchParams), token })
    }
    const consent = (await must('GET', '/amazon/ads/login?regionId=1', { token })) as { url: string }
    const { code, state } = Object.fromEntries((await consentTo(consent.url, { login: email })).searchParams)
    const { profiles } = (await must('POST', '/amazon/ads/callback', { body: { code, state }, token })) as {
      profiles: { amazonProfileId: number; merchantId: number | null }[]
    }
    for (const [merchantId, own] of Map.groupBy(profiles, profile => profile.merchantId)) {
      const amazonProfileIds = own.map(profile => profile.amazonProfileId)
      if (merchantId !== null)
        await must('POST', '/user/amazon/connect', { body: { merchantId, amazonProfileIds }, token })
    }
  }
  const plans = (await must('GET', '/subscriptions/plans', { token })) as { id: number; name: string }[]
  const plan = plans.find(({ name }) => name === 'Agency') ?? plans[0]
  await must('POST', '/subscriptions', { body: { planId: plan?.id }, token })
  // Browser of the user, which takes pushes.
  const { publicKey } = (await must('GET', '/push/public-key', { token })) as { publicKey: string }
  const browser = (await (
    await sandbox.control('POST', 'push/subscriptions', { applicationServerKey: publicKey })
  ).json()) as { endpoint: string; keys: object }
  const { endpoint, keys } = browser
  await must('POST', '/push/subscriptions', { body: { endpoint, keys, publicKey }, token })
  return token
}

async function manage(
  { url, token }: { url: string; token: string },
  amazonProfileId: number,
  campaignIds: ReadonlySet<string>,
): Promise<void> {
  const { must } = productCalls(url)
  await must('POST', '/user/amazon/select', { body: { amazonProfileId }, token })
  const all = (await must('GET', '/campaigns', { token })) as { id: number; amazonId: string | null; name: string }[]
  for (const { id, name } of all.filter(({ amazonId }) => amazonId && campaignIds.has(amazonId))) {
    const { version } = (await must('GET', `/campaigns/${id}`, { token })) as { version: number }
    const answer = await fetch(`${url}/api/campaign/update`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'if-match': `"${version}"`,
        'idempotency-key': `manage ${id}`,
      },
      body: JSON.stringify({ campaignId: id, name: `${name} (watched)` }),
    })
    if (!answer.ok) throw new Error(`the change of a campaign answered ${answer.status}: ${await answer.text()}`)
  }
}

const importTakesMs = 600_000

async function imported({ db, settled: untilSettled }: Pick<WatchingProduct, 'db' | 'settled'>): Promise<void> {
  const began = performance.now()
  for (;;) {
    await untilSettled()
    const { rows } = await sql<{ left: number; failed: number }>`select
      count(*) filter (where status <> 'COMPLETED')::int as left,
      count(*) filter (where status = 'FAILED')::int as failed from seeding_job`.execute(db.system)
    if (rows[0]?.failed) throw new Error('an import failed')
    if (rows[0]?.left === 0) return
    if (performance.now() - began > importTakesMs) throw new Error('the import was not done within ten minutes')
    await wait(1000)
  }
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
/** The product reads the clock every second. */
const noticesClockMs = 1300
const checkEveryMs = 150
const settlesWithinMs = 180_000
/** What waits for messages is active all the time, and no alert reads the reports that are pulled again. */
const inBackground = ['receive-hours', 'refresh-profile', 'fill-product-trade', 'reconcile-figures']

/** Resolves when no message is left on the queue and no job to be done, but those that wait for messages. */
async function settled(db: Database, sandbox: Sandbox): Promise<void> {
  const began = performance.now()
  for (let quiet = 0; quiet < 2; ) {
    const isQuiet = (await queueLength(sandbox)) === 0 && (await openJobs(db)).length === 0
    quiet = isQuiet ? quiet + 1 : 0
    if (performance.now() - began > settlesWithinMs)
      throw new Error(`not done within three minutes: ${(await openJobs(db)).join(', ')}`)
    await wait(checkEveryMs)
  }
}

async function queueLength({ url }: Sandbox): Promise<number> {
  const answer = await fetch(`${url}/sqs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.GetQueueAttributes' },
    body: JSON.stringify({ QueueUrl: `${url}/sqs`, AttributeNames: ['ApproximateNumberOfMessages'] }),
  })
  const { Attributes } = (await answer.json()) as { Attributes: { ApproximateNumberOfMessages: string } }
  return Number(Attributes.ApproximateNumberOfMessages)
}

async function openJobs(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select distinct name from jobs.job
    where name <> all (${[...inBackground, 'dead-letters']})
      and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`.execute(db.system)
  return rows.map(({ name }) => name)
}

/** What users were notified of, in the order of time. */
async function raised(db: Database): Promise<Raised[]> {
  const { rows } = await sql<{
    kind: string
    profileIds: string[] | null
    campaignId: string | null
    at: Date
    title: string
  }>`select n.kind, n.title, n.created_at as at, c.amazon_id as "campaignId",
      (select array_agg(p.amazon_profile_id::text) from ads_profile p where p.merchant_id = n.merchant_id
        and (n.profile_id is null or p.id = n.profile_id)) as "profileIds"
    from notification n left join campaign c on c.merchant_id = n.merchant_id and c.id = n.campaign_id
    order by n.created_at, n.id`.execute(db.system)
  return rows.flatMap(({ kind: name, profileIds, campaignId, at, title }) => {
    const kind = notificationKinds.find(one => one === name)
    return kind ? [{ kind, profileIds: profileIds?.map(Number) ?? null, campaignId, at: at.getTime(), title }] : []
  })
}
