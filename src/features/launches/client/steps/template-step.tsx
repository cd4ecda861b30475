import { useId } from 'react'
import { type Template, templateOf, templates } from '../../templates.ts'
import type { SetupMode } from '../../draft/wizard-state.ts'
import type { StepProps } from './step-parts.tsx'
import { choiceOfTemplate, structureOfTemplate } from '../wizard/structure-preview.ts'

const groups = { FUNNEL: 'Funnels', KEYWORD: 'Keyword campaigns', TARGET: 'Product targeting' } as const
const templatesOf = (family: string) =>
  templates.map(value => ({ value, ...templateOf(value) })).filter(template => template.family === family)

export function TemplateStep(
  props: Pick<StepProps, 'state'> & { error: string | undefined; onTemplate: (template: Template) => void },
) {
  const { state, error, onTemplate } = props
  const id = useId()
  return (
    <>
      {error && (
        <p className="field-error" role="alert" id={id}>
          {error}
        </p>
      )}
      {Object.entries(groups).map(([family, legend]) => (
        <fieldset
          key={family}
          className="choices templates"
          data-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
        >
          <legend>{legend}</legend>
          {templatesOf(family).map(({ value, name, hint }) => (
            <label key={value} className="choice template">
              <input
                type="radio"
                name="template"
                value={value}
                checked={state.template === value}
                onChange={() => onTemplate(value)}
              />
              <span>
                <strong>{name}</strong>
                <small>{hint}</small>
                <TemplateDiagram template={value} mode={state.setupMode} />
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </>
  )
}

function TemplateDiagram({ template, mode }: { template: Template; mode: SetupMode }) {
  const campaigns = structureOfTemplate(template)
  const choice = choiceOfTemplate(template, mode)
  return (
    <>
      <span className="diagram">
        <span className="visually-hidden">
          {choice && 'Up to '}
          {campaigns.length} {campaigns.length === 1 ? 'campaign' : 'campaigns'}:{' '}
          {campaigns.map(c => `${c.title} (${c.groups.join(', ')})`).join('; ')}
        </span>
        {campaigns.map((campaign, i) => (
          <span key={`${campaign.title} ${i}`} className="diagram-campaign" aria-hidden="true">
            <b>{campaign.title}</b>
            {campaign.groups.map(group => (
              <i key={group}>{group}</i>
            ))}
          </span>
        ))}
      </span>
      {choice && <small className="diagram-choice">{choice}</small>}
    </>
  )
}
