import { managingHeader } from '#shared/managing-context.ts'
import { endsSoon, parseJson } from '../api/session/token-claims.ts'
import { answersKey, sessionKey, storedContext } from '../api/storage-keys.ts'

/**
 * Responses that the early script requested before the app's own code arrived: the first call of the same address takes
 * one instead of sending a request. They are on the window because the script and the app are separate programs.
 */
declare global {
  var tidelineEarly: Map<string, EarlyAnswer> | undefined
}
interface EarlyAnswer {
  token: string
  askedMs: number
  response: Promise<Response>
}

// A page that was suspended in between must not use an outdated response.
const goodForMs = 10_000
const giveUpMs = 20_000

/** One request that answers the first calls of several addresses (under /api, with their queries). */
interface EarlyRequest {
  url: string
  /** What it will answer. */
  answers: readonly string[]
  /** The addresses with their answers, more than those above where the answer itself says which. */
  read: (body: never) => [url: string, answer: unknown][]
}

/** The whole answer of an early request, and its Date header. */
export interface EarlyBody {
  body: unknown
  date: string | null
}

function askEarly({ url, answers, read }: EarlyRequest, token: string): Promise<EarlyBody> {
  const askedMs = performance.now()
  const early = (globalThis.tidelineEarly ??= new Map<string, EarlyAnswer>())
  const keep = (address: string, response: Promise<Response>): void => {
    // If nobody takes it, nobody handles its failure.
    response.catch(() => undefined)
    early.set(address, { token, askedMs, response })
  }
  const whole = fetch(url, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}`, [managingHeader]: storedContext() },
    signal: AbortSignal.timeout(giveUpMs),
  }).then(async response => {
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return { body: (await response.json()) as unknown, date: response.headers.get('date') }
  })
  whole.catch(() => undefined)
  const parts = whole.then(({ body, date }) => {
    const headers = { date: date ?? '' }
    const found = new Map(read(body as never))
    const partOf = (address: string): Response => new Response(JSON.stringify(found.get(address)), { headers })
    for (const address of found.keys()) if (!answers.includes(address)) keep(address, Promise.resolve(partOf(address)))
    return (address: string): Response => {
      if (!found.has(address)) throw new Error(`${url} does not answer ${address}`)
      return partOf(address)
    }
  })
  for (const address of answers)
    keep(
      address,
      parts.then(partOf => partOf(address)),
    )
  return whole
}

/** Takes the early response of an address, once; undefined when there is none, it failed, is outdated or of another session. */
export function takeEarly(url: string, token: string | undefined): Promise<Response | undefined> | undefined {
  const early = globalThis.tidelineEarly?.get(url)
  globalThis.tidelineEarly?.delete(url)
  if (!early || early.token !== token || performance.now() - early.askedMs > goodForMs) return undefined
  return early.response.catch(() => undefined)
}

/**
 * Sends the request of a first visit before the app's code has arrived. It sends none when nobody is signed in, when the
 * session must be renewed first, or when the last answers are persisted, because then the screen needs no request. Returns
 * the whole answer, or undefined where nothing was sent.
 */
export function askAtOnce(request: EarlyRequest): Promise<EarlyBody> | undefined {
  const token = storedToken()
  if (!token || endsSoon(token, Date.now()) || localStorage.getItem(answersKey)) return undefined
  return askEarly(request, token)
}

function storedToken(): string | undefined {
  const session = parseJson(localStorage.getItem(sessionKey)) as { accessToken?: unknown } | null | undefined
  return typeof session?.accessToken === 'string' ? session.accessToken : undefined
}

/** Fetches and compiles modules that will be imported; `files` are addresses on this origin. */
export function loadAhead(files: Iterable<string>): void {
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = file
    document.head.append(link)
  }
}

/** Runs a module by its address on this origin. */
export function runModule(file: string): void {
  const script = document.createElement('script')
  script.type = 'module'
  script.crossOrigin = ''
  script.src = file
  document.head.append(script)
}
