/** The demonstration's log-in, printed at the start and in the README. */
export const demoAccount = { email: 'demo@tideline.test', password: 'Tideline!2026' }

export interface CallOptions {
  body?: unknown
  token?: string
  /** What the call is meant for (`merchant/marketplace`): refused where the account works with another by now. */
  shop?: string
  /** Tells apart what is created at the same path. */
  key?: string
}

/** A call that the product refused. */
export class CallRefused extends Error {
  readonly status: number
  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text}`)
    this.name = 'CallRefused'
    this.status = status
  }
}

/** Calls of the product's API at this address. */
export function productCalls(url: string) {
  const send = (method: string, path: string, { body, token, shop, key = '' }: CallOptions = {}) =>
    fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(shop && { 'x-shop': shop }),
        'idempotency-key': `demonstration ${method} ${path}${key && ` ${key}`}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
  /** The parsed answer. Throws CallRefused. */
  const must = async (method: string, path: string, options?: CallOptions): Promise<unknown> => {
    const answer = await send(method, path, options)
    const text = await answer.text()
    if (!answer.ok) throw new CallRefused(`${method} ${path}`, answer.status, text)
    return text ? JSON.parse(text) : null
  }
  return { send, must }
}
