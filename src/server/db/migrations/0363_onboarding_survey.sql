-- Local: what a user said after the registration; all null where they skipped it.
create table onboarding_survey (
  account_id bigint primary key references account (id) on delete cascade,
  goal text,
  experience text,
  catalogue_size text,
  -- Whether Home still suggests what to do first.
  shows_steps boolean not null,
  answered_at timestamptz not null
);
revoke all on onboarding_survey from tideline_app;
