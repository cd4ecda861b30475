import { operations } from '../../../src/sandbox/stripe/operations.ts'
import { answerTypes, parametersOf, type Schema, SchemaWriter } from './sdk-types.ts'

type Definitions = Record<string, Schema>
const isNull = (schema: Schema): boolean => schema.type === 'null'

/** The notation of `src/sandbox/stripe/wire/parameters.ts`. */
function nodeOf(schema: Schema): unknown {
  if (typeof schema.$ref === 'string') return `#${schema.$ref.split('/').at(-1)}`
  if (Array.isArray(schema.enum))
    return schema.enum.every(word => typeof word === 'boolean') ? 'boolean' : { '=': schema.enum }
  if ('const' in schema) return { '=': [schema.const] }
  if (Array.isArray(schema.anyOf)) return { '|': (schema.anyOf as Schema[]).map(nodeOf) }
  if (schema.type === 'array') return [nodeOf(schema.items as Schema)]
  if (schema.type === 'string') return schema.pattern ? 'decimal' : 'string'
  if (schema.type !== 'object') return schema.type ?? 'any'
  const required = new Set(schema.required as string[])
  const properties = Object.entries(schema.properties as Definitions)
  const rest = schema.additionalProperties as Schema | false
  return {
    ...Object.fromEntries(properties.map(([name, one]) => [required.has(name) ? `${name}!` : name, nodeOf(one)])),
    ...(rest && { '*': nodeOf(rest) }),
  }
}

/** What every object of a kind has when nothing else is said: null, false, an empty list. Undefined: must be said. */
function blankOf(schema: Schema, definitions: Definitions): unknown {
  if (typeof schema.$ref === 'string')
    return blankOf(definitions[schema.$ref.split('/').at(-1) ?? ''] ?? {}, definitions)
  if ('const' in schema) return schema.const
  if (isNull(schema) || (schema.anyOf as Schema[] | undefined)?.some(isNull)) return null
  if (schema.type === 'boolean' || (Array.isArray(schema.enum) && schema.enum.includes(false))) return false
  if (schema.type === 'array') return []
  if (schema.type !== 'object') return undefined
  const { properties, required } = schema as { properties: Definitions; required: string[] }
  return Object.fromEntries(required.map(name => [name, blankOf(properties[name] ?? {}, definitions)]))
}

const linesOf = (values: Record<string, unknown>): string =>
  `{\n${Object.entries(values)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}`

/** The content of the two generated files, from the types of the installed client. */
export function generateWire(): { wire: string; answers: string } {
  const types = answerTypes()
  const answers = new SchemaWriter(types.values())
  const roots = Object.fromEntries([...types].map(([kind, type]) => [kind, answers.of(type) as Schema]))
  const blanks = Object.fromEntries(
    Object.entries(roots).map(([kind, schema]) => [kind, blankOf(schema, answers.definitions)]),
  )
  const requests = new SchemaWriter()
  const calls = Object.fromEntries(
    Object.keys(operations).map(name => {
      const type = parametersOf(name)
      return [name, type ? nodeOf(requests.of(type) ?? {}) : {}]
    }),
  )
  const shapes = Object.fromEntries(Object.entries(requests.definitions).map(([name, one]) => [name, nodeOf(one)]))
  return {
    wire: `{"calls": ${linesOf(calls)},\n"shapes": ${linesOf(shapes)},\n"blanks": ${linesOf(blanks)}}\n`,
    answers: `{"properties": ${linesOf(roots)},\n"definitions": ${linesOf(answers.definitions)}}\n`,
  }
}
