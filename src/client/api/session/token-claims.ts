import * as v from 'valibot'

const claims = v.object({
  exp: v.fallback(v.optional(v.number()), undefined),
  sub: v.fallback(v.optional(v.string()), undefined),
})

/** What an access token says of itself: when it ends, in seconds, and whose it is. Empty where it cannot be read. */
export const readClaims = (token: string): v.InferOutput<typeof claims> => {
  const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/')
  const parsed = v.safeParse(claims, payload === undefined ? undefined : parseJson(decode(payload)))
  return parsed.success ? parsed.output : {}
}

const decode = (base64: string): string => {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

/** What a text holds as JSON; null for none, undefined where it is broken. */
export const parseJson = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
