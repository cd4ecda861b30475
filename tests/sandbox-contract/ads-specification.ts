import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { parse } from 'yaml'

/** Folder with the Ads API's own specification files, or null. They may not be passed on, so none lie here. */
export const adsSpecFolder = process.env.ADS_SPEC_DIR || null

/** Said in the name of what cannot run without the specifications. */
export const unlessAdsAbsent = adsSpecFolder
  ? ''
  : ' (NOT RUN: ADS_SPEC_DIR names no folder with the published specifications)'

if (!adsSpecFolder)
  console.info(`The Ads API's specifications were not compared with the sandbox's answers${unlessAdsAbsent}.`)

type Schema = Record<string, unknown>
interface Answer {
  $ref?: string
  content?: Record<string, { schema?: Schema }>
}
interface Documented {
  responses?: Record<string, Answer>
  requestBody?: { content?: Record<string, unknown> }
}
interface Document {
  paths: Record<string, Record<string, Documented>>
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Answer> }
}

/** One operation that the specifications describe. */
export interface Operation {
  file: string
  method: string
  /** With its parameters in braces. */
  path: string
  /** Media types that it takes. */
  takes: string[]
  responses: Record<string, Answer>
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What only people read, and would trouble a validator. */
const descriptive = new Set(['example', 'examples', 'default', 'nullable', 'discriminator'])

/** A schema of OpenAPI 3.0 in the words of JSON Schema, with its references made absolute. */
function translate(value: unknown, file: string): unknown {
  if (Array.isArray(value)) return value.map(one => translate(one, file))
  if (!isObject(value)) return value
  const made: Schema = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !descriptive.has(key))
      // Names of properties are names, whatever they are called.
      .map(([key, inside]) => [
        key,
        key === 'properties' && isObject(inside)
          ? Object.fromEntries(Object.entries(inside).map(([name, one]) => [name, translate(one, file)]))
          : translate(inside, file),
      ]),
  )
  // Alternatives overlap in these files, so that many an answer is as much one as another.
  if (made.oneOf !== undefined) {
    made.anyOf ??= made.oneOf
    Reflect.deleteProperty(made, 'oneOf')
  }
  if (typeof made.$ref === 'string' && made.$ref.startsWith('#')) made.$ref = file + made.$ref
  for (const [exclusive, plain] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (made[exclusive] === true) made[exclusive] = made[plain]
    else if (made[exclusive] === false) Reflect.deleteProperty(made, exclusive)
  }
  return value.nullable === true ? { anyOf: [{ type: 'null' }, made] } : made
}

/** What is wrong in a sentence, the same for every item of a list. */
function toldOf({ instancePath, message, params, data }: ErrorObject): string {
  const where = instancePath.replaceAll(/\/\d+/g, '[]').replaceAll('/', '.')
  const { allowedValues } = params as { allowedValues?: string[] }
  return `${where} ${message}${allowedValues ? `, which ${JSON.stringify(data)} is not` : ''}`
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export class AdsSpecification {
  readonly operations: Operation[] = []
  private readonly documents = new Map<string, Document>()
  private readonly ajv = new Ajv({
    strict: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    logger: false,
  })

  constructor(folder: string) {
    formats.default(this.ajv)
    for (const file of readdirSync(folder).filter(name => /\.(json|ya?ml)$/.test(name))) {
      const text = readFileSync(join(folder, file), 'utf8')
      const document = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as Document | null
      // The folder may hold other things as well.
      if (!isObject(document?.paths)) continue
      this.documents.set(file, document)
      this.ajv.addSchema({ $id: file, components: translate(document.components ?? {}, file) })
      for (const [path, described] of Object.entries(document.paths))
        for (const [method, { responses = {}, requestBody }] of Object.entries(described))
          if (methods.includes(method))
            this.operations.push({
              file,
              method: method.toUpperCase(),
              path,
              takes: Object.keys(requestBody?.content ?? {}),
              responses,
            })
    }
    if (this.operations.length === 0) throw new Error(`no specification lies in ${folder}`)
  }

  /** What is wrong with an answer by the specifications; nothing when they do not know the call at all. */
  deviations(method: string, path: string, accept: string, status: number, body: unknown): string[] {
    const operation = this.find(method, path)
    if (!operation) return []
    const place = `${method} ${operation.path} ${status}`
    const answer = this.answerOf(operation, status)
    if (!answer) return [`${place}: no such status`]
    const schema = this.schemaOf(answer, accept)
    if (!schema) return []
    const check = this.checkOf(schema, operation.file)
    check(body)
    const wrong = (check.errors ?? []).map(error => `${place}: ${toldOf(error)}`)
    const unknown = this.undeclared(schema, operation.file, body, '')
    return [...new Set([...wrong, ...unknown.map(where => `${place}: ${where} is not in the specification`)])]
  }

  private find(method: string, path: string): Operation | undefined {
    const parts = path.split('/')
    const fitting = this.operations.filter(one => {
      const template = one.path.split('/')
      return (
        one.method === method &&
        template.length === parts.length &&
        template.every((part, i) => part === parts[i] || part.startsWith('{'))
      )
    })
    // A path that is written out is meant rather than one with a parameter in the same place.
    return fitting.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
  }

  private answerOf({ file, responses }: Operation, status: number): Answer | undefined {
    const answer = responses[status] ?? responses.default
    const name = answer?.$ref?.split('/').at(-1)
    return name === undefined ? answer : this.documents.get(file)?.components?.responses?.[name]
  }

  private schemaOf({ content = {} }: Answer, accept: string): Schema | undefined {
    const [type] = [accept, ...Object.keys(content)].filter(one => content[one])
    return type === undefined ? undefined : content[type]?.schema
  }

  private checkOf(schema: Schema, file: string): ValidateFunction {
    return this.ajv.compile(translate(schema, file) as Schema)
  }

  /** A schema with its reference followed and its variants beside it. */
  private variants(schema: Schema, file: string): Schema[] {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.split('/').at(-1) ?? ''
      const target = this.documents.get(file)?.components?.schemas?.[name]
      return target ? this.variants(target, file) : []
    }
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap(key =>
      Array.isArray(schema[key]) ? (schema[key] as Schema[]) : [],
    )
    return [schema, ...parts.flatMap(part => this.variants(part, file))]
  }

  /** Names in an answer that no variant of its schema declares, though it declares others beside them. */
  private undeclared(schema: Schema, file: string, value: unknown, at: string): string[] {
    const variants = this.variants(schema, file)
    if (Array.isArray(value)) {
      const items = variants.map(one => one.items).find(isObject)
      return items ? value.flatMap(one => this.undeclared(items, file, one, `${at}[]`)) : []
    }
    if (!isObject(value)) return []
    const open = variants.some(one => one.additionalProperties === true || isObject(one.additionalProperties))
    const declared = variants.map(one => one.properties).filter(isObject)
    if (open || declared.length === 0) return []
    return Object.entries(value).flatMap(([name, inside]) => {
      const described = declared.map(properties => properties[name]).filter(isObject)
      if (described.length === 0) return [`${at}.${name}`]
      return this.undeclared({ anyOf: described }, file, inside, `${at}.${name}`)
    })
  }
}
