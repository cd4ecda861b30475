import type { FastifyRequest } from 'fastify'
import { type AdsFailure, familyFailure, pathBelowHost } from './ads-failure.ts'

const JSON_TYPE = 'application/json'

export const vendorType = (name: string, version: string): string => `application/vnd.${name}.${version}+json`

export interface Media {
  /** Vendor types of the body. */
  takes: readonly string[]
  /** Vendor types of the answer; absent: those of the body. Null: not documented, so Accept is ignored. */
  gives?: readonly string[] | null
  /**
   * Whether a body may be called plain JSON. By default only next to an Accept that names a vendor type: one of the two
   * headers must name the version, as in the official examples.
   */
  plain?: 'always' | 'never'
  /** Status when Accept names no type of the answer; 415 by default, since most specifications have no 406. */
  refusal?: 406
}

export interface Negotiated {
  /** The vendor type of the body, or null for plain JSON. */
  content: string | null
  /** The vendor type that Accept names; null when it takes any JSON. */
  accept: string | null
}

const typeOf = (value: string): string => (value.split(';')[0] ?? '').trim().toLowerCase()
const findType = (types: readonly string[], requested: string): string | undefined =>
  types.find(type => type.toLowerCase() === requested)

/** Sponsored Display and the older calls of Sponsored Brands have a framework with messages of its own. */
function refuse(request: FastifyRequest, older: [status: number, text: string], status: number, text: string) {
  const isOlder = /^\/(sd|sb)\/(?!v4\/)/.test(pathBelowHost(request.url))
  return isOlder ? familyFailure(request, ...older) : familyFailure(request, status, text)
}

/** The vendor type that Accept names, null where it takes any JSON or is absent. Throws 415 or 406 otherwise. */
export function requireAccept(request: FastifyRequest, gives: readonly string[], refusal: 406 | 415): string | null {
  const { accept } = request.headers
  if (!accept) return null
  const requested = accept.split(',').map(typeOf)
  const named = requested.map(type => findType(gives, type)).find(type => type !== undefined)
  if (named) return named
  if (requested.some(type => [JSON_TYPE, 'application/*', '*/*'].includes(type))) return null
  const expected = [...gives, JSON_TYPE].join(' or ')
  const text = `Accept ${accept} is not supported; expected ${expected}`
  throw refuse(request, [406, 'No match for accept header'], refusal, text)
}

function unsupported(request: FastifyRequest, sent: string, { takes, plain }: Media): AdsFailure {
  const expected = [...takes, ...(plain === 'always' ? [JSON_TYPE] : [])].join(' or ')
  const text = `Content-Type ${sent || '(none)'} is not supported; expected ${expected}`
  return refuse(request, [415, 'Cannot consume content type'], 415, text)
}

/** Throws 415 unless the body has a media type of this call, and 415 or 406 unless the answer's may be accepted. */
export function requireMedia(request: FastifyRequest, media: Media): Negotiated {
  const { takes, gives = takes, plain, refusal = 415 } = media
  const sent = typeOf(request.headers['content-type'] ?? '')
  const content = findType(takes, sent) ?? null
  const isPlain = content === null && sent === JSON_TYPE && plain !== 'never'
  if (content === null && !isPlain) throw unsupported(request, sent, media)
  const accept = gives && requireAccept(request, gives, refusal)
  if (isPlain && plain !== 'always' && accept === null) throw unsupported(request, sent, media)
  return { content, accept }
}
