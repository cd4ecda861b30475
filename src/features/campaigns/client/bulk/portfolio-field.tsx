import { useQuery } from '@tanstack/react-query'
import { type FieldProps, type Option, SelectField } from '#client/ui/forms/fields.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import { bulkQueries } from './bulk-queries.ts'

interface PortfolioFieldProps extends FieldProps<string> {
  /** What can be chosen besides the portfolios of the account. */
  first?: readonly Option<string>[]
}
const noPortfolio = [{ value: '', label: 'No portfolio' }]

/** A portfolio of the account, or none (the empty text). */
export function PortfolioField({ first = noPortfolio, ...props }: PortfolioFieldProps) {
  const { data = [], isPending, isError } = useQuery(bulkQueries.portfolios(useShop()))
  const options = data.map(({ id, name }) => ({ value: id, label: name }))
  const isListed = [...first, ...options].some(({ value }) => value === props.value)
  const help = isPending
    ? 'Loading the portfolios…'
    : isError
      ? 'The marketplace’s portfolios could not be loaded. Try again later.'
      : props.help
  return (
    <SelectField
      {...props}
      {...(help && { help })}
      options={[...first, ...(isListed ? [] : [{ value: props.value, label: `Portfolio ${props.value}` }]), ...options]}
    />
  )
}
