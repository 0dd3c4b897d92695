import type { ComponentChildren, ComponentType } from 'preact';
import type { FilterWords } from '../engine/journal/entry-filter.ts';
import type { ToneWords } from '../engine/journal/tone.ts';
import type { Effect } from './rules/effect.ts';
import type { WhyProps } from './why/reasons.ts';

/** Loads a view of the studio. */
export type LoadView<Properties> = () => Promise<ComponentType<Properties>>;

/** A part of the studio with a route of its own: `#/rules`. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** Its description in the palette. */
  readonly hint: string;
}

/** A section of an API: a list of the records of a table, and a page for each. */
export interface ApiSection extends Section {
  readonly table: string;
  /** Describes the page of a record, in addition to its fields. */
  readonly about: string;
  readonly view: LoadView<unknown>;
}

/** A part of the page of a record that words before its id mean: `stock 7`. */
export interface RecordPart {
  readonly word: string;
  readonly table: string;
  /** The text before the id. */
  readonly title: string;
  readonly hint: string;
}

/** Records that are found by a field. */
export interface Search {
  readonly table: string;
  readonly field: string;
  /** Matches its values. */
  readonly pattern: RegExp;
  /** Writes a word as its values are written (default: as it is). */
  readonly exact?: (word: string) => string;
  /** A path of the control API that finds a part of its values, and whose list this is then: `orders`. */
  readonly findIn?: string;
}

export interface LatestProps {
  readonly children?: ComponentChildren;
}

export interface UpcomingProps extends LatestProps {
  readonly limit?: number;
}

/** The part of the studio for one API: views, words and searches. */
export interface ApiPages {
  readonly sections: readonly ApiSection[];
  /** Views that the API extends: `Data` with its parts, and reasons, with kinds of its own. */
  readonly views: {
    readonly data: LoadView<unknown>;
    readonly why: LoadView<WhyProps>;
  };
  /** Lists the records that were changed last, with `children` below them once they are loaded. */
  readonly Latest: ComponentType<LatestProps> | undefined;
  /** Lists the next events of the clock, at most `limit`, with `children` below them once they are loaded. */
  readonly Upcoming: ComponentType<UpcomingProps> | undefined;
  /** The states of its machines by their tones, which are classes of the style sheet. */
  readonly tones: ToneWords;
  /** The tables of lists and parts of responses that do not have the names of their tables. */
  readonly tables: Readonly<Record<string, string>>;
  /** The meaning of the outcome `declined`. */
  readonly declined: string;
  readonly filter: {
    readonly words: FilterWords;
    /** Words to begin with. */
    readonly examples: readonly string[];
  };
  /** A name of a snapshot. */
  readonly snapshot: string;
  readonly rules: {
    /** Method and path of an endpoint with a parameter. */
    readonly endpoint: string;
    /** The step of a rule of the script for which none is chosen. */
    readonly step: string;
    readonly effects: readonly Effect[];
    /** Rules to begin with, by the parameters of their links. */
    readonly starters: readonly { readonly title: string; readonly query: string }[];
    /** Conditions of rules of the script. */
    readonly hint: string;
    /**
     * Returns the conditions that a request meets: `order=105 user=35`.
     *
     * @param parameters those of its path
     * @param body that of its response
     */
    readonly conditionsOf: (parameters: Readonly<Record<string, string>>, body: unknown) => string;
  };
  readonly palette: {
    /** An example of an input. */
    readonly example: string;
    /** The tables that a number alone may mean. */
    readonly tables: readonly string[];
    /** Pages of `data` that are no tables. */
    readonly pages: readonly Section[];
    readonly parts: readonly RecordPart[];
    readonly searches: readonly Search[];
  };
}

/** Returns the part of the studio for another API than that of its pages. */
export function withoutPages(pages: ApiPages): ApiPages {
  const none = { tables: [], pages: [], parts: [], searches: [] };
  return {
    ...pages,
    sections: [],
    Latest: undefined,
    Upcoming: undefined,
    filter: { ...pages.filter, examples: [] },
    declined: 'It was declined.',
    snapshot: 'before',
    rules: { endpoint: '', step: '', effects: [], starters: [], hint: '', conditionsOf: () => '' },
    palette: { ...none, example: '+1 day, an operation, …' },
  };
}
