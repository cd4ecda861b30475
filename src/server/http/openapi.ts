import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { bodyLimitOf, type Endpoint } from '#shared/define-endpoint.ts'
import { errorStatus } from '#shared/errors.ts'

type JsonSchema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] }

function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema as never, { typeMode, errorMode: 'ignore' }) as JsonSchema
  return rest
}

function parameters(schema: GenericSchema | undefined, where: 'path' | 'query') {
  if (!schema) return []
  const object = jsonSchema(schema, 'input')
  return Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (object.required ?? []).includes(name),
    schema: property,
  }))
}

const content = (schema: unknown, mediaType = 'application/json') => ({ [mediaType]: { schema } })

function requestBody(endpoint: Endpoint) {
  const { body, rawBody, upload } = endpoint
  const shape = body
    ? content(jsonSchema(body, 'input'))
    : upload
      ? content({ type: 'object', required: [upload.field], properties: { [upload.field]: {} } }, 'multipart/form-data')
      : // In OpenAPI 3.1 an empty schema stands for bytes of the media type.
        rawBody && content({}, rawBody.mediaType)
  return shape && { description: `At most ${bodyLimitOf(endpoint) / 1024} kB`, required: true, content: shape }
}

function answerContent({ file, response }: Endpoint) {
  return file
    ? Object.assign({}, ...file.map(mediaType => content({}, mediaType)))
    : content(jsonSchema(response, 'output'))
}

const tagHeader = { description: 'Identifies the content', required: true, schema: { type: 'string' } }

const needsSubscription = ({ access }: Endpoint): boolean => access === 'subscription' || access === 'connecting'

function operation(endpoint: Endpoint) {
  const status = endpoint.status ?? 200
  const hasTag = endpoint.method === 'GET' && !endpoint.file
  const header = (name: string, required: boolean) => ({ name, in: 'header', required, schema: { type: 'string' } })
  const failures = new Set(
    [
      ...(endpoint.errors ?? []),
      ...(endpoint.access === 'public' ? [] : (['UNAUTHENTICATED'] as const)),
      ...(needsSubscription(endpoint) ? (['SUBSCRIPTION_REQUIRED'] as const) : []),
      ...(endpoint.changedIn === undefined ? [] : (['CLIENT_OUTDATED'] as const)),
      'RATE_LIMITED' as const,
    ].map(code => errorStatus[code]),
  )
  const hasBody = Boolean(endpoint.body ?? endpoint.rawBody ?? endpoint.upload)
  if (hasBody || endpoint.query || endpoint.params) failures.add(400)
  if (hasBody) failures.add(413)
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-zA-Z0-9]+(.)?/g, (_, c: string | undefined) => c?.toUpperCase() ?? '')}`,
    summary: endpoint.summary,
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.rawBody ? [header(endpoint.rawBody.signatureHeader, true)] : []),
      ...(endpoint.idempotencyKey ? [header('Idempotency-Key', endpoint.idempotencyKey === true)] : []),
      ...(endpoint.ofShop ? [header('X-Shop', false)] : []),
      ...(hasTag ? [header('If-None-Match', false)] : []),
    ],
    ...(hasBody && { requestBody: requestBody(endpoint) }),
    responses: {
      [status]: {
        description: 'OK',
        ...(hasTag && { headers: { ETag: tagHeader } }),
        ...(status !== 204 && { content: answerContent(endpoint) }),
      },
      ...(hasTag && { 304: { description: 'The content has not changed', headers: { ETag: tagHeader } } }),
      ...Object.fromEntries(
        [...failures]
          .sort((a, b) => a - b)
          .map(code => [code, { description: 'Failed', content: content({ $ref: '#/components/schemas/Problem' }) }]),
      ),
    },
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
  }
}

/** The OpenAPI 3.1 document of the endpoints, generated from the schemas that check requests and responses. */
export function openapi(endpoints: readonly Endpoint[], info: { title: string; version: string }) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(endpoint)
  }
  const text = { type: 'string' }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Problem: {
          type: 'object',
          required: ['errorCode', 'message', 'details', 'requestId'],
          properties: {
            errorCode: { type: 'string', enum: Object.keys(errorStatus) },
            message: text,
            details: { type: 'array', items: text },
            requestId: text,
          },
        },
      },
    },
    paths,
  }
}
