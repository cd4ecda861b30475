import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import Stripe from 'stripe'
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/start-sandbox.ts'

// The client's notices ask for telemetry and newer versions.
process.env.STRIPE_SUPPRESS_NOTICES = 'true'

const schema = JSON.parse(readFileSync(new URL('answers.schema.json', import.meta.url), 'utf8')) as {
  properties: Record<string, object>
}
const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addSchema({ ...schema, $id: 'answers' })

/** What the official client's types say against an answer: every object in it that has a kind is compared with its type. */
function problemsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { object: kind, deleted } = value as { object?: unknown; deleted?: boolean }
  const below = Object.values(value).flatMap(problemsOf)
  if (typeof kind !== 'string' || !(kind in schema.properties) || deleted) return below
  const validate = ajv.getSchema(`answers#/properties/${kind}`)
  if (!validate || validate(value)) return below
  const texts = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  // What is wrong inside an object is said where it is.
  return below.length > 0 ? below : texts
}

/** The client's own transport; `judge` sees every answer as it came. */
function judgedClient(judge: (body: unknown) => void) {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request)
    const toJSON = response.toJSON.bind(response)
    response.toJSON = async () => {
      const body: unknown = await toJSON()
      judge(structuredClone(body))
      return body
    }
    return response
  }
  return client
}

/** The error of a call that fails, by what programs read of it. Throws when the call goes well. */
export async function errorOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('The call went well.')
  const { type, statusCode, code, param, message } = error
  return { type, statusCode, code, param, message }
}

export type StripeWorld = Awaited<ReturnType<typeof openStripeWorld>>

/** The emulator, and the official client, each of whose answers is compared with its own types. */
export async function openStripeWorld(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ scenario: 'new-seller', ...options })
  const problems = new Set<string>()
  const judge = (body: unknown): void => {
    for (const problem of problemsOf(body)) problems.add(problem)
  }
  const connect = (config: Partial<ConstructorParameters<typeof Stripe>[1]> = {}, key = 'sk_test_sandbox'): Stripe =>
    new Stripe(key, {
      host: 'localhost',
      port: new URL(sandbox.url).port,
      protocol: 'http',
      telemetry: false,
      httpClient: judgedClient(judge),
      ...config,
    })
  return {
    sandbox,
    connect,
    stripe: connect(),
    /** What the types said against any answer so far; empty when all is well. */
    problems: () => [...problems],
    async advance(duration: string): Promise<void> {
      const answer = await sandbox.control('POST', 'clock', { advance: duration })
      if (!answer.ok) throw new Error(await answer.text())
    },
    close: () => sandbox.close(),
  }
}
