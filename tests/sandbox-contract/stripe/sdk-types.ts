import { fileURLToPath } from 'node:url'
import { Project, ts } from 'ts-morph'

// The official client's own types, read with TypeScript's compiler: what each call takes, and what each object consists of.

const source = fileURLToPath(new URL('answers.ts', import.meta.url))
const project = new Project({
  compilerOptions: {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
  },
})
const file = project.addSourceFileAtPath(source).compilerNode
const checker = project.getProgram().compilerObject.getTypeChecker()
const { TypeFlags, SymbolFlags } = ts

export type Schema = Record<string, unknown>
const decimal = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }
const isDecimal = (type: ts.Type): boolean => (type.aliasSymbol ?? type.symbol)?.name.startsWith('Decimal') ?? false

const isVendorObject = (type: ts.Type): boolean => !!type.getProperty('id') && !!type.getProperty('object')

function literalOf(type: ts.Type): { const: unknown } | null {
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
  if (type.flags & TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
  return null
}

/** JSON Schemas of named types; each named object type is a definition of its own. */
export class SchemaWriter {
  readonly definitions: Record<string, Schema> = {}
  private readonly names = new Map<ts.Type, string>()
  private readonly expanded: ReadonlySet<ts.Type> | undefined

  /** `expanded`: of the objects with an id, the only ones to describe; others are ids wherever they need not be expanded. */
  constructor(expanded?: Iterable<ts.Type>) {
    this.expanded = expanded && new Set(expanded)
  }

  /** Null: the property never occurs in JSON. */
  of(type: ts.Type): Schema | null {
    const { flags } = type
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {}
    if (isDecimal(type)) return decimal
    if (flags & (TypeFlags.Undefined | TypeFlags.Void)) return null
    if (flags & TypeFlags.Null) return { type: 'null' }
    const literal = literalOf(type)
    if (literal) return literal
    if (flags & TypeFlags.String) return { type: 'string' }
    if (flags & TypeFlags.Number) return { type: 'number' }
    if (flags & TypeFlags.Boolean) return { type: 'boolean' }
    if (type.isUnion()) return this.ofUnion(type)
    if (type.isIntersection()) return this.ofIntersection(type)
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return { type: 'array', items: (item && this.of(item)) ?? {} }
    }
    return flags & TypeFlags.Object ? this.ofObject(type) : {}
  }

  private ofUnion(type: ts.UnionType): Schema {
    const isExpandable = type.types.some(part => part.flags & TypeFlags.String)
    const hasWords = type.types.some(part => part.isStringLiteral())
    const present = type.types.filter(
      part =>
        // What keeps a list of words open to those of later versions.
        !(hasWords && part.isIntersection()) &&
        (!isExpandable || !this.expanded || !isVendorObject(part) || this.expanded.has(part)),
    )
    const parts = present.map(part => this.of(part)).filter(part => part !== null)
    const words = parts.filter(part => 'const' in part).map(part => part.const)
    const others = parts.filter(part => !('const' in part))
    // `'a' | 'b' | string`: any text may come.
    const isOpen = others.some(part => part.type === 'string')
    const listed = isOpen ? words.filter(word => typeof word !== 'string') : words
    const all = [...(listed.length > 0 ? [{ enum: listed }] : []), ...others]
    const distinct = [...new Map(all.map(part => [JSON.stringify(part), part])).values()]
    return distinct.length === 1 ? (distinct[0] as Schema) : { anyOf: distinct }
  }

  private ofIntersection(type: ts.IntersectionType): Schema {
    if (type.types.some(part => part.flags & TypeFlags.String)) return { type: 'string' }
    if (type.types.some(isDecimal)) return decimal
    return this.objectOf(type)
  }

  private ofObject(type: ts.Type): Schema | null {
    if (type.getCallSignatures().length > 0) return null
    const { symbol } = type
    if (!symbol || symbol.name === '__type') return this.objectOf(type)
    let name = this.names.get(type)
    if (name === undefined) {
      const args = checker.getTypeArguments(type as ts.TypeReference).map(arg => arg.symbol?.name ?? 'x')
      const base = [checker.getFullyQualifiedName(symbol).replace(/^".*"\./, ''), ...args].join('_')
      name = base
      for (let i = 2; name in this.definitions; i++) name = `${base}_${i}`
      this.names.set(type, name)
      this.definitions[name] = {}
      this.definitions[name] = this.objectOf(type)
    }
    return { $ref: `#/definitions/${name}` }
  }

  private objectOf(type: ts.Type): Schema {
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of checker.getPropertiesOfType(type)) {
      const schema = this.of(checker.getTypeOfSymbolAtLocation(property, file))
      if (schema === null) continue
      properties[property.name] = schema
      if (!(property.flags & SymbolFlags.Optional)) required.push(property.name)
    }
    const index = type.getStringIndexType()
    const rest = index ? this.of(index) : null
    return { type: 'object', properties, required, additionalProperties: rest ?? false }
  }
}

function declared(name: string): ts.Type {
  const found = file.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
  )
  if (!found) throw new Error(`${source} declares no ${name}.`)
  return checker.getTypeAtLocation(found)
}

/** The type of each object that answers consist of, by its `object` field. */
export function answerTypes(): Map<string, ts.Type> {
  const properties = checker.getPropertiesOfType(declared('Answers'))
  return new Map(properties.map(one => [one.name, checker.getTypeOfSymbolAtLocation(one, file)]))
}

/** The type of the parameters of a call such as `checkout.sessions.create`; null when it has none. Throws when there is no such call. */
export function parametersOf(call: string): ts.Type | null {
  let type = checker.getTypeOfSymbolAtLocation(declared('Client').getProperty('stripe') as ts.Symbol, file)
  for (const name of call.split('.')) {
    const property = type.getProperty(name)
    if (!property) throw new Error(`The client has no ${call}.`)
    type = checker.getTypeOfSymbolAtLocation(property, file)
  }
  for (const signature of type.getCallSignatures())
    for (const parameter of signature.parameters)
      if (parameter.name === 'params')
        return checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, file))
  return null
}
