-- What the seller wants advertising to cost, in percent of its sales. Ours alone: the marketplace has no such field.
alter table campaign add column target_acos numeric(4, 1);
