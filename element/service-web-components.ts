/**
 * Entry of the one built file: defines the element when a page loads it.
 *
 * @module
 */
import { defineElement } from './define-element.ts';

defineElement();
