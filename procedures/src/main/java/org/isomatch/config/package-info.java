/** Configuration maps of procedures: declared keys, with types, defaults and ranges. */
package org.isomatch.config;
