import { SelectField } from '#client/ui/forms/fields.tsx'
import { type ChosenFigures, chooseFigures, figureOptions, useChosenFigures } from './chosen-figures.ts'

/** Which three figures every row shows first; taken at once. Choosing one that stands elsewhere swaps the two. */
export function FigureChoice() {
  const chosen = useChosenFigures()
  const choose = (place: number, value: ChosenFigures[number]): void => {
    const [first, second, third] = chosen.map((name, at) =>
      at === place ? value : name === value ? (chosen[place] ?? name) : name,
    )
    if (first && second && third) chooseFigures([first, second, third])
  }
  return (
    <fieldset className="figure-choice">
      <legend>Figures of each row</legend>
      {chosen.map((name, place) => (
        <SelectField
          key={place}
          label={['First', 'Second', 'Third'][place] ?? ''}
          name={`figure-${place}`}
          value={name}
          options={figureOptions}
          onChange={value => choose(place, value)}
        />
      ))}
    </fieldset>
  )
}
