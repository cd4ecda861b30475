import { SelectField } from '#client/ui/forms/select-field.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { type ChosenFigures, chooseFigures, useChosenFigures } from './chosen-figures.ts'
import { figureOptions } from './figure-words.ts'

/** Which three figures every row shows; taken at once. Choosing one that stands elsewhere swaps the two. */
export const ChooseFiguresSheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const chosen = useChosenFigures()
  const choose = (place: number, value: ChosenFigures[number]): void => {
    const [first, second, third] = chosen.map((name, at) =>
      at === place ? value : name === value ? (chosen[place] ?? name) : name,
    )
    if (first && second && third) chooseFigures([first, second, third])
  }
  return (
    <Sheet open={open} onClose={onClose} title="Figures of each row">
      {chosen.map((name, place) => (
        <SelectField
          key={place}
          label={['First figure', 'Second figure', 'Third figure'][place] ?? ''}
          name={`figure-${place}`}
          value={name}
          options={figureOptions}
          onChange={value => choose(place, value)}
        />
      ))}
    </Sheet>
  )
}
