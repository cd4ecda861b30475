import type { Scenarios } from '#sandbox/core/world.ts'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { followClock } from '#server/clock/follow-clock.ts'
import { createLog } from '#server/log/log.ts'
import { openIntegrations } from '../../src/main/integrations.ts'
import { defineJob, type JobDefinition, type Signal } from '#server/jobs/define-job.ts'
import type { Reaction } from '#server/jobs/jobs.ts'
import { buildServer } from '#server/http/build-server.ts'
import type { Route } from '#server/http/route.ts'
import { createAuthenticate } from '../../src/main/authenticate.ts'
import { deliverPaymentEvents, histories, outsideWorld } from './processes.ts'
import { testServices } from './services.ts'

/** Services whose doors lead to an outside world of their own; `close` ends both. */
export async function servicesWithOutside(
  options: {
    scenario?: string
    scenarios?: Scenarios
    /** When the outside's time begins; it then passes as on the machine. */
    startsAt?: Date
    followClock?: boolean
    env?: Record<string, string>
    jobs?: readonly JobDefinition<never>[]
    reactions?: readonly Reaction[]
  } = {},
) {
  const { scenario = 'small', scenarios, startsAt } = options
  const begun = performance.now()
  const sandbox = await startSandbox({
    scenario,
    ...(scenarios && { scenarios }),
    histories,
    ...(startsAt && { clock: { now: () => new Date(startsAt.getTime() + performance.now() - begun) } }),
  })
  const clock = options.followClock ? await followClock(`${sandbox.url}/healthz`, createLog({ level: 'silent' })) : null
  const services = await testServices({
    ...(clock && { clock }),
    env: { ...outsideWorld(sandbox.url, sandbox.smtpPort), ...options.env },
    ...(options.jobs && { jobs: options.jobs }),
    ...(options.reactions && { reactions: options.reactions }),
  })
  clock?.onMove(() => void services.jobs.runScheduled())
  const connected = {
    ...services,
    integrations: openIntegrations(services),
    close: async () => {
      clock?.close()
      await services.close()
      await sandbox.close()
    },
  }
  return { services: connected, sandbox }
}

/** Serves these routes, the webhook among them, and lets the payment provider send its events there; `close` ends it. */
export async function receivePaymentEvents(
  { services, sandbox }: Pick<Awaited<ReturnType<typeof servicesWithOutside>>, 'services' | 'sandbox'>,
  routes: Route[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const authenticate = createAuthenticate(services)
  const app = await buildServer({ services, routes, authenticate, checkResponses: true, version: '1.0.0' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await deliverPaymentEvents(sandbox.control, url)
  return { url, close: () => app.close() }
}

/** Services with an outside world and workers that run; `heard` collects the data of a signal. */
export async function servicesHearing<T>(signal: Signal<T>) {
  const heard: T[] = []
  const hear = defineJob({
    name: 'hear',
    data: signal.data,
    run: (_services, data) => Promise.resolve(void heard.push(data)),
  })
  const opened = await servicesWithOutside({
    jobs: [hear as unknown as JobDefinition<never>],
    reactions: [{ signal, job: hear } as unknown as Reaction],
  })
  await opened.services.jobs.work(opened.services)
  return { ...opened, heard }
}

const HOUR_MS = 3_600_000

/** Moves the marketplace's clock on to the next 16:00 UTC, a morning in the Americas: at night too little happens to test. */
export function moveToMorning({ clock }: { clock: { now(): Date; advance(ms: number): void } }): void {
  const untilMorning = (16 * HOUR_MS - (clock.now().getTime() % (24 * HOUR_MS)) + 24 * HOUR_MS) % (24 * HOUR_MS)
  clock.advance(untilMorning)
}

/** Answers a consent page as a person would; the address that the browser is sent back to. */
export async function answerConsent(pageUrl: string, answers: Record<string, string>): Promise<URL> {
  const page = new URL(pageUrl)
  const reply = await fetch(page.origin + page.pathname, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...Object.fromEntries(page.searchParams), answer: 'allow', ...answers }),
  })
  const back = reply.headers.get('location')
  if (!back) throw new Error(`the consent page answered ${reply.status}: ${(await reply.text()).slice(0, 300)}`)
  return new URL(back)
}
