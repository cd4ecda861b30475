import { randomBytes, randomUUID } from 'node:crypto'
import { isAffiliateCode } from '#features/affiliate/server/referrals.ts'
import { authJobs } from '#features/auth/server/jobs.ts'
import { createAuthenticate } from '../../src/main/authenticate.ts'
import { createAuthRoutes, createUserRoutes } from '#features/auth/server/routes.ts'
import { createMailer } from '#integrations/mail/index.ts'
import { buildServer } from '#server/http/build-server.ts'
import type { Route } from '#server/http/route.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import type { Reaction } from '#server/jobs/jobs.ts'
import { mailJobs } from '#server/mail/outbox.ts'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { testServices } from './services.ts'
import { waitUntil } from './wait-until.ts'

interface Letter {
  to: string[]
  subject: string
  text: string
  html?: string
  links: string[]
}
interface Call {
  token?: string
  ip?: string
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
}

export const goodPassword = 'Harbour=7tide'
export const publicUrl = 'https://tideline.example'

interface Additions {
  routes?: readonly Route[]
  jobs?: readonly JobDefinition<never>[]
  reactions?: readonly Reaction[]
}

/** The log-in over real HTTP and real mail, with a clock that the test moves. `close` ends it. */
export async function startAuthScene({ routes = [], jobs = [], reactions = [] }: Additions = {}) {
  const sandbox = await startSandbox({ scenario: 'new-seller' })
  const mailer = createMailer({
    smtpUrl: `smtp://localhost:${sandbox.smtpPort}`,
    from: 'Tideline <no-reply@tideline.test>',
  })
  let offsetMs = 0
  const services = await testServices({
    env: {
      PUBLIC_URL: publicUrl,
      TOKEN_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
    clock: { now: () => new Date(Date.now() + offsetMs) },
    integrations: { mailer },
    jobs: [...authJobs, ...mailJobs, ...jobs],
    reactions,
  })
  const app = await buildServer({
    services,
    routes: [...createAuthRoutes({ isAffiliateCode }), ...createUserRoutes({ profilesOf: async () => [] }), ...routes],
    authenticate: createAuthenticate(services),
    checkResponses: true,
    version: '1.0.0',
  })
  await services.jobs.work(services)

  const call = (path: string, body?: object, { token, ip = '10.0.0.1', method = 'POST' }: Call = {}) =>
    app.inject({
      method,
      url: `/api${path}`,
      remoteAddress: ip,
      ...(body && { payload: body }),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
  const letters = async (to: string): Promise<Letter[]> => {
    const all = (await (await sandbox.control('GET', 'mail')).json()) as Letter[]
    return all.filter(letter => letter.to.includes(to)).reverse()
  }
  /** The nth mail to an address (from 0), which may still be under way. */
  const letter = (to: string, index = 0): Promise<Letter> =>
    waitUntil(async () => {
      const found = (await letters(to))[index]
      if (!found) throw new Error(`mail ${index} to ${to} did not arrive`)
      return found
    })
  const tokenIn = ({ links }: Letter): string => {
    const link = links.find(l => l.includes('token='))
    if (!link) throw new Error('the mail holds no link with a token')
    return new URL(link).searchParams.get('token') ?? ''
  }
  const registration = (email: string, more: object = {}) => ({
    email,
    password: goodPassword,
    firstName: 'Mara',
    lastName: 'Lind',
    ...more,
  })
  /** A verified account of its own, and its address. */
  const newcomer = async (more: object = {}): Promise<string> => {
    const email = `${randomUUID()}@people.test`
    await call('/auth/register', registration(email, more))
    await call('/auth/verify-email', { token: tokenIn(await letter(email)) })
    return email
  }
  const login = async (email: string, password = goodPassword) => {
    const answer = await call('/auth/login', { email, password })
    if (answer.statusCode !== 200) throw new Error(`log-in answered ${answer.statusCode}: ${answer.body}`)
    return answer.json<{ accessToken: string; refreshToken: string; email: string }>()
  }
  return {
    services,
    app,
    sandbox,
    call,
    letters,
    letter,
    tokenIn,
    registration,
    newcomer,
    login,
    passTime: (ms: number) => {
      offsetMs += ms
    },
    close: async () => {
      await app.close()
      await services.close()
      mailer.close()
      await sandbox.close()
    },
  }
}
export type AuthScene = Awaited<ReturnType<typeof startAuthScene>>
