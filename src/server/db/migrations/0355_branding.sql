-- Local: how an account's reports look. The logo is the bytes of a PNG that we encoded ourselves.
create table branding_profile (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  name text not null,
  primary_color text not null check (primary_color ~ '^#[0-9a-f]{6}$'),
  accent_color text not null check (accent_color ~ '^#[0-9a-f]{6}$'),
  footer text not null,
  is_default boolean not null default false,
  -- Random, and another one for each logo: who has an old address gets no new picture.
  logo_file text,
  logo bytea,
  created_at timestamptz not null,
  check ((logo_file is null) = (logo is null))
);
create unique index branding_profile_name on branding_profile (account_id, lower(name));
create unique index branding_profile_default on branding_profile (account_id) where is_default;
