import { useQuery } from '@tanstack/react-query'
import { type FieldProps, SelectField } from '#client/ui/forms/fields.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import { bulkQueries } from './bulk-queries.ts'

/** A portfolio of the account, or none (the empty text). */
export function PortfolioField(props: FieldProps<string>) {
  const { data = [], isPending, isError } = useQuery(bulkQueries.portfolios(useShop()))
  const options = data.map(({ id, name }) => ({ value: id, label: name }))
  const isListed = props.value === '' || options.some(({ value }) => value === props.value)
  const help = isPending
    ? 'Loading the portfolios…'
    : isError
      ? 'The marketplace’s portfolios could not be loaded. Try again later.'
      : props.help
  return (
    <SelectField
      {...props}
      {...(help && { help })}
      options={[
        { value: '', label: 'No portfolio' },
        ...(isListed ? [] : [{ value: props.value, label: `Portfolio ${props.value}` }]),
        ...options,
      ]}
    />
  )
}
