import { randomBytes } from 'node:crypto'
import { sendPush } from '#features/notifications/server/send-push.job.ts'
import { createWebPush, type WebPushOptions } from '#integrations/web-push/index.ts'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import type { Services } from '#server/context.ts'
import { jobs, reactions } from '../../src/main/api.ts'
import { addCaller, addSession, openProcess } from './answers-scene.ts'
import { testServices } from './services.ts'

export interface Browser {
  endpoint: string
  keys: { p256dh: string; auth: string }
}
export interface SentPush {
  endpoint: string
  ttl: number
  urgency: string
  topic: string | null
  payload: string | null
}

/** The product with a push service, and people with browsers, on a clock that the test moves; `close` ends it. */
export async function openPushScene() {
  const sandbox = await startSandbox({ scenario: 'new-seller' })
  const vapid = (): WebPushOptions['keys'][number] => ({
    id: randomBytes(3).toString('hex'),
    privateKey: randomBytes(32).toString('base64url'),
  })
  let offsetMs = 0
  const clock = { now: () => new Date(Date.now() + offsetMs) }
  const openDoor = (keys: WebPushOptions['keys']) =>
    createWebPush({ keys, contact: 'mailto:ops@tideline.test', hosts: [sandbox.url], clock })
  const services: Services & { close(): Promise<void> } = await testServices({
    env: {
      PUBLIC_URL: 'https://tideline.example',
      TOKEN_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
    clock,
    jobs,
    reactions,
    integrations: { webPush: openDoor([vapid()]) },
  })
  const { call, close: closeProcess } = await openProcess(services)
  const control = (path: string, method: string, body?: object) => sandbox.control(method, `push${path}`, body)
  const publicKey = () => services.integrations.webPush.current?.publicKey ?? ''
  const newBrowser = async (): Promise<Browser> =>
    (await (await control('/subscriptions', 'POST', { applicationServerKey: publicKey() })).json()) as Browser
  const subscribe = (token: string, browser: Browser, more: object = {}) =>
    call(token, '/push/subscriptions', { method: 'POST', body: { ...browser, publicKey: publicKey(), ...more } })
  const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
  return {
    services,
    sandbox,
    call,
    job,
    newBrowser,
    subscribe,
    newPerson: () => addCaller(services),
    logIn: (accountId: number) => addSession(services, accountId),
    /** A person whose browser takes pushes. */
    subscriber: async () => {
      const person = await addCaller(services)
      const browser = await newBrowser()
      const answer = await subscribe(person.token, browser)
      if (answer.status !== 204) throw new Error(`subscribing answered ${answer.status}: ${answer.text}`)
      return { ...person, browser }
    },
    /** The user of a browser takes its permission back. */
    leave: ({ endpoint }: Browser) => control(`/subscriptions/${endpoint.split('/').at(-1)}`, 'DELETE'),
    /** What a browser was sent, newest first. */
    pushesTo: async ({ endpoint }: Browser): Promise<SentPush[]> =>
      ((await (await control('', 'GET')).json()) as SentPush[]).filter(push => push.endpoint === endpoint),
    advance: (ms: number) => {
      offsetMs += ms
    },
    useKeys: (...keys: WebPushOptions['keys'][number][]) => {
      services.integrations.webPush = openDoor(keys)
    },
    vapid,
    /** Works on every push to a person that is under way, once, as the queue does. */
    sendAll: async (accountId: number) => {
      const rows = await services.db.system
        .selectFrom('push_delivery as d')
        .innerJoin('notification as n', 'n.id', 'd.notification_id')
        .select(['d.notification_id as notificationId', 'd.subscription_id as subscriptionId'])
        .where('n.account_id', '=', accountId)
        .orderBy('d.notification_id')
        .execute()
      for (const key of rows) await sendPush.run(services, key, job)
    },
    close: async () => {
      await closeProcess()
      await services.close()
      await sandbox.close()
    },
  }
}

export type PushScene = Awaited<ReturnType<typeof openPushScene>>
